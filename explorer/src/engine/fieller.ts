// Fieller: bounds of ratios. A ratio t is allowed if the interval of A - t B holds 0, which a quadratic in t tells.

/** The least and the largest t from 0 to 1 at which a polynomial of degree two is at most 0; NaN if there is none. */
export function leastAndMost(at: (t: number) => number): [number, number] {
  const [start, middle, stop] = [at(0), at(0.5), at(1)];
  const square = 2 * (start - 2 * middle + stop);
  const slope = 4 * middle - 3 * start - stop;
  const root = Math.sqrt(Math.max(slope ** 2 - 4 * square * start, 0));
  const far = -(slope + (slope < 0 || Object.is(slope, -0) ? -root : root)) / 2;
  const crossed = [far / square, start / far].filter((t) => t >= 0 && t <= 1);
  const low = start <= 0 ? 0 : crossed.length ? Math.min(...crossed) : NaN;
  return [low, stop <= 0 ? 1 : crossed.length ? Math.max(...crossed) : NaN];
}

/** Bounds of a part of a whole, from 0 to 1, from values and half-widths of intervals (view/contrast.py, shares). */
export function shareBounds(part: number, near: number, whole: number, far: number): [number, number] {
  const [a, b] = [Math.max(part, 0), Math.max(whole, 0)];
  const [low, high] = leastAndMost((t) => (a - t * b) ** 2 - near ** 2 - (t * far) ** 2);
  return [Number.isNaN(low) ? 1 : low, Number.isNaN(high) ? 1 : high]; // the part seems larger than all
}
