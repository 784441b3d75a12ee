// Remembered: what was worked out for lists of intervals, which nobody changes; the oldest goes when there is no room.

const ROOM = 1 << 20; // numbers that one memory holds

export class Remembered {
  /** `size` is how many numbers one entry has. */
  constructor(size) {
    this.most = Math.max(1, Math.floor(ROOM / Math.max(1, size)));
    this.entries = new Map();
  }

  /** What is known of a list, worked out if it is new. */
  of(list, make) {
    let found = this.entries.get(list);
    if (found === undefined) {
      if (this.entries.size >= this.most) this.entries.delete(this.entries.keys().next().value);
      this.entries.set(list, (found = make(list)));
    }
    return found;
  }
}
