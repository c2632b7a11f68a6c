import { createRandom } from "./random.ts";

/** Dimensions of a vector. */
export const dimensions = 1536;
/** Directions in which texts differ; the first matter most, as in what models make of texts. */
const directions = 48;
const topics = 500;

/** Vectors that lie like the embeddings of texts. */
export type TopicVectors = {
  /** The vector of a passage, the same in every run. */
  passage(): Float32Array;
  /** The vector of a question: near passages of a topic, but like none of them. */
  question(): Float32Array;
};

/**
 * Starts such vectors; the seed decides them. All share a direction, as those of most models do. The others differ in 48
 * directions of falling weight, in which the passages lie around 500 topics, some of them frequent and some rare; to this
 * comes noise in all dimensions.
 */
export function createTopicVectors(seed: number): TopicVectors {
  const random = createRandom(seed);
  // Box and Muller.
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const direction = () => Float32Array.from({ length: dimensions }, () => normal() / Math.sqrt(dimensions));
  const place = (spread: number) =>
    Float32Array.from({ length: directions }, (_, index) => spread * normal() / Math.sqrt(1 + index));
  const common = direction();
  const basis = Array.from({ length: directions }, direction);
  const centres = Array.from({ length: topics }, () => place(1));

  function draw({ spread, noise }: { spread: number; noise: number }): Float32Array {
    const centre = centres[Math.floor(topics * random() ** 1.7)]!;
    const offset = place(spread);
    const vector = common.slice();
    for (const [index, axis] of basis.entries()) {
      const weight = centre[index]! + offset[index]!;
      for (let dimension = 0; dimension < dimensions; dimension++) vector[dimension]! += weight * axis[dimension]!;
    }
    for (let dimension = 0; dimension < dimensions; dimension++) {
      // As wide as a normal distribution of that deviation, and quicker to draw.
      vector[dimension]! += noise * (random() - 0.5) * Math.sqrt(12 / dimensions);
    }
    return vector;
  }

  return {
    passage: () => draw({ spread: 0.7, noise: 0.4 }),
    question: () => draw({ spread: 0.8, noise: 0.6 }),
  };
}

/** The vector as Postgres receives a `vector` in binary. */
export function toBinary(vector: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 + 4 * vector.length));
  view.setInt16(0, vector.length);
  for (const [index, value] of vector.entries()) view.setFloat32(4 + 4 * index, value);
  return new Uint8Array(view.buffer);
}
