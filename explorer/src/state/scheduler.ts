// Scheduler: long work in short slices, so that the page always answers the hand. New work of a kind replaces the old.

const SLICE = 12; // milliseconds

type Job = Iterator<void, unknown, void>;

export class Scheduler {
  private readonly jobs = new Map<string, Job>();
  private readonly waiting: (() => void)[] = [];
  private planned = false;

  /** Run a generator bit by bit; what it does between two yields must be short. The first slice runs at once. */
  start(kind: string, generator: Job, first = SLICE): void {
    this.jobs.set(kind, generator);
    if (first > 0) this.turn(kind, generator, performance.now() + first);
    this.plan();
  }

  /** Resolves when nothing is left to do. */
  settled(): Promise<void> {
    if (this.jobs.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private plan(): void {
    if (this.jobs.size === 0) {
      for (const resolve of this.waiting.splice(0)) resolve();
    } else if (!this.planned) {
      this.planned = true;
      setTimeout(() => this.slice(), 0);
    }
  }

  private slice(): void {
    this.planned = false;
    const until = performance.now() + SLICE;
    for (const [kind, generator] of [...this.jobs]) {
      if (performance.now() >= until) break;
      this.turn(kind, generator, until);
    }
    this.plan();
  }

  private turn(kind: string, generator: Job, until: number): void {
    while (performance.now() < until) {
      if (generator.next().done) {
        if (this.jobs.get(kind) === generator) this.jobs.delete(kind);
        return;
      }
    }
  }
}
