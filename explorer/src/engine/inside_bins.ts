// Inside bins: intervals of questions whose bounds lie inside codes (answering/inside_bins.py).
//
// The value divides the rows of a code in proportion to length, but a view does not know where inside a code they lie.
// So the interval reaches down to the lower end for the question with its bounds moved inward to whole codes, and up to
// the upper end for the question with its bounds moved outward.

import { unknownError } from "./answer.ts";
import { isFractional, roundEnds } from "./intervals.ts";
import type { Answer, KnownAnswer, Region, Selection } from "./types.ts";

/** The value of a region, and the half-width of its interval. */
type Ask = (region: Region) => { value: number; reach: number };

/** An answer with an interval that holds wherever rows lie inside codes.
 *
 * Boxes that are moved outward may overlap. They are asked one by one, and their half-widths add up.
 */
export function widenInsideBins(answer: KnownAnswer, region: Region, ask: Ask): Answer {
  if (!region.some((box) => Object.values(box).some(isFractional))) return answer;
  const inner = ask(roundBoxes(region, false));
  const boxes = roundBoxes(region, true).map((box) => ask([box]));
  const most = boxes.reduce((sum, { value }) => sum + value, 0);
  const far = boxes.reduce((sum, { reach }) => sum + reach, 0);
  const least = inner.value - inner.reach;
  const reach = Math.max(answer.reach, answer.value - least, most + far - answer.value);
  if (!Number.isFinite(reach)) return { ...unknownError(answer.value), reach, note: answer.note };
  const low = Math.min(answer.low, Math.max(0, least));
  return { ...answer, reach, low, high: Math.max(answer.high, Math.max(0, most) + far) };
}

/** The boxes with all ends moved to whole codes; one that becomes empty is left out. */
function roundBoxes(region: Region, outward: boolean): Region {
  const rounded = region.map(
    (box): Selection =>
      Object.fromEntries(Object.entries(box).map(([axis, intervals]) => [axis, roundEnds(intervals, outward)])),
  );
  return rounded.filter((box) => Object.values(box).every((intervals) => intervals.length));
}
