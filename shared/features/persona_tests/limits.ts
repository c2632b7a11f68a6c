/** Limits of test cases. SQL `is_test_case` and `check_test_count` have the same. */
export const testLimits = {
  /** Test cases of a coach. */
  cases: 500,
  /** Messages before the question. */
  history: 20,
  /** Characters of these messages together. */
  historyCharacters: 100_000,
  /** Texts or file names in each list of an expectation. */
  texts: 20,
  /** Characters of each of these. */
  textCharacters: 1_000,
  /** Characters of a rubric. */
  rubricCharacters: 4_000,
};

/** The kinds of answers: written by the model, the admission that the persona does not know, or a pinned answer. */
export const testOutcomes = ["answered", "not_known", "pinned"] as const;
export type TestOutcome = typeof testOutcomes[number];

/** The verdicts on an answer. */
export const testVerdicts = ["passed", "failed", "not_judged"] as const;
export type TestVerdict = typeof testVerdicts[number];

/** The states of a run. */
export const testRunStatuses = ["queued", "running", "done", "stopped"] as const;
