// Steps: work that may be left after any step and taken up again, with a result in the end.

export type Steps<T> = Generator<void, T, void>;

/** Work of a single step. */
export function* inOneStep<T>(work: () => T): Steps<T> {
  yield;
  return work();
}

/** Do all steps, and give the result. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
