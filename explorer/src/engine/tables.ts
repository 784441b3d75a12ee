// Tables: noisy tables of a few attributes each, as signed rows (answering/content/tables.py).

import { answerOf, unknownError, Z } from "./answer.ts";
import { AxisIndex } from "./axis_index.ts";
import type { TableFacts } from "./facts.ts";
import { boundedAxes, lengthOf } from "./intervals.ts";
import { Rows } from "./rows.ts";
import type { Answer, Content, Region, Selection } from "./types.ts";

/** Rows of parts: the cells of some axes; along the other axes content lies as the densities say. */
export class Tables implements Content {
  readonly rows: Rows;
  private readonly known: Set<string>;

  constructor(
    private readonly facts: TableFacts,
    private readonly sizes: number[],
  ) {
    this.rows = new Rows(
      sizes.map((size, axis) => sideOf(axis, size, facts, sizes)),
      facts.values,
    );
    this.known = new Set(facts.parts.map((part) => part.join()));
  }

  /** Boxes were measured together, so all their pairs count; the error is known if a table holds the axes of each. */
  answer(boxes: Region): Answer {
    const covers = boxes.map((box) => this.rows.cover(box));
    const value = covers.reduce(
      (sum, cover) => sum + this.rows.weighted(cover).reduce((part, each) => part + each, 0),
      0,
    );
    const note = this.note(boxes);
    if (note) return { ...unknownError(value), note };
    const shares = covers.map((cover) => new Map(cover));
    const bounds = boxes.map((box) => new Set(boundedAxes(box, this.sizes)));
    let noise = 0;
    boxes.forEach((_, i) => {
      boxes.forEach((_, j) => {
        noise += this.covariance(
          shares[i],
          shares[j],
          [...bounds[i]].filter((axis) => bounds[j].has(axis)),
        );
      });
    });
    return answerOf(value, Math.max(noise, 0), 0, Z);
  }

  note(boxes: Region, further: number[] = []): string {
    const isKnown = (box: Selection) =>
      this.known.has(
        [...new Set([...boundedAxes(box, this.sizes), ...further])]
          .filter((axis) => this.sizes[axis] > 1)
          .sort((a, b) => a - b)
          .join(),
      );
    const isEmpty = (box: Selection) => Object.values(box).some((intervals) => lengthOf(intervals) === 0);
    return boxes.every((box) => isEmpty(box) || isKnown(box)) ? "" : this.facts.caution;
  }

  /** The covariance of two boxes, from the parts of axes that both bound. */
  private covariance(one: Map<number, Float64Array>, other: Map<number, Float64Array>, common: number[]): number {
    const even = (shares: Map<number, Float64Array>, axis: number) => {
      const ratio = shares.get(axis);
      if (!ratio) return 1;
      return ratio.subarray(0, this.sizes[axis]).reduce((sum, each) => sum + each, 0) / this.sizes[axis];
    };
    const asked = [...new Set([...one.keys(), ...other.keys()])];
    let found = 0;
    this.facts.parts.forEach((part, k) => {
      if (!part.every((axis) => common.includes(axis))) return;
      let each = this.facts.variances[k];
      for (const axis of asked) {
        const [a, b] = [one.get(axis), other.get(axis)];
        each *= part.includes(axis) && a && b ? this.product(axis, a, b) : even(one, axis) * even(other, axis);
      }
      found += each;
    });
    return found;
  }

  private product(axis: number, one: Float64Array, other: Float64Array): number {
    const [size, covariance] = [this.sizes[axis], this.facts.covariances[axis]];
    let found = 0;
    for (let code = 0; code < size; code += 1) {
      if (one[code] === 0) continue;
      let row = 0;
      for (let column = 0; column < size; column += 1) row += covariance[code * size + column] * other[column];
      found += one[code] * row;
    }
    return found;
  }
}

/** The codes of an axis, and then the whole axis for rows of parts without it. */
function sideOf(axis: number, size: number, { parts, density, values }: TableFacts, sizes: number[]): AxisIndex {
  const which = new Int32Array(values.length);
  let row = 0;
  for (const part of parts) {
    const cells = part.reduce((product, other) => product * sizes[other], 1);
    const place = part.indexOf(axis);
    const step = part.slice(place + 1).reduce((product, other) => product * sizes[other], 1);
    for (let cell = 0; cell < cells; cell += 1, row += 1) {
      which[row] = place < 0 ? size : Math.floor(cell / step) % size;
    }
  }
  const lower = Float64Array.from({ length: size + 1 }, (_, code) => (code < size ? code : 0));
  const upper = Float64Array.from({ length: size + 1 }, (_, code) => (code < size ? code + 1 : size));
  return new AxisIndex(lower, upper, which, density[axis]);
}
