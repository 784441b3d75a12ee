// IntervalCache: what was worked out for lists of intervals, which nobody changes; the oldest goes when there is no room.

const ROOM = 1 << 20; // numbers that one memory holds

import type { Intervals } from "./types.ts";

export class IntervalCache<T> {
  private readonly most: number;
  private readonly entries = new Map<Intervals, T>();

  /** `size` is how many numbers one entry has. */
  constructor(size: number) {
    this.most = Math.max(1, Math.floor(ROOM / Math.max(1, size)));
  }

  /** What is known of a list, worked out if it is new. */
  of(list: Intervals, make: () => T): T {
    const known = this.entries.get(list);
    if (known !== undefined) return known;
    if (this.entries.size >= this.most) this.forgetOldest();
    const found = make();
    this.entries.set(list, found);
    return found;
  }

  private forgetOldest(): void {
    const [oldest] = this.entries.keys();
    this.entries.delete(oldest);
  }
}
