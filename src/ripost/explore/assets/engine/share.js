// Share: Fieller's interval of the ratio of a part to its whole (view/contrast.py).

/** Bounds of a share from 0 to 1, from values and half-widths of intervals. */
export function shareBounds(part, near, whole, far) {
  const [a, b] = [Math.max(part, 0), Math.max(whole, 0)];
  const at = (t) => (a - t * b) ** 2 - near ** 2 - (t * far) ** 2;
  const [start, middle, stop] = [at(0), at(0.5), at(1)];
  const square = 2 * (start - 2 * middle + stop);
  const slope = 4 * middle - 3 * start - stop;
  const root = Math.sqrt(Math.max(slope ** 2 - 4 * square * start, 0));
  const one = -(slope + (slope < 0 ? -root : root)) / 2;
  const crossed = [one / square, start / one].filter((t) => t >= 0 && t <= 1);
  const low = start <= 0 ? 0 : Math.min(1, ...crossed);
  return [low, stop <= 0 || !crossed.length ? 1 : Math.max(...crossed)];
}
