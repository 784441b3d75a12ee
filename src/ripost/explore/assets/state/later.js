// Later: long work in short slices, so that the page always answers the hand. New work of a kind replaces the old.

const SLICE = 12; // milliseconds

export class Later {
  constructor() {
    this.jobs = new Map();
    this.waiting = [];
    this.planned = false;
  }

  /** Run a generator bit by bit; what it does between two yields must be short. The first slice runs at once. */
  start(kind, generator, first = SLICE) {
    this.jobs.set(kind, generator);
    if (first > 0) this.turn(kind, generator, performance.now() + first);
    this.plan();
  }

  stop(kind) {
    this.jobs.delete(kind);
    this.plan();
  }

  /** Resolves when nothing is left to do. */
  settled() {
    if (this.jobs.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  plan() {
    if (this.jobs.size === 0) {
      for (const resolve of this.waiting.splice(0)) resolve();
    } else if (!this.planned) {
      this.planned = true;
      setTimeout(() => this.slice(), 0);
    }
  }

  slice() {
    this.planned = false;
    const until = performance.now() + SLICE;
    for (const [kind, generator] of [...this.jobs]) {
      if (performance.now() >= until) break;
      this.turn(kind, generator, until);
    }
    this.plan();
  }

  turn(kind, generator, until) {
    while (performance.now() < until) {
      if (generator.next().done) {
        if (this.jobs.get(kind) === generator) this.jobs.delete(kind);
        return;
      }
    }
  }
}
