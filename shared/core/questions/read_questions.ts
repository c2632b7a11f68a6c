import { DatabaseError } from "../../infra/db/database.ts";
import { lazy } from "../../libs/base/lazy.ts";
import type { NormalQuestion } from "./normal_question.ts";

// With the first question that is compared: most requests need neither the code nor the data of languages.
const loadReader = lazy(async () => {
  const [{ normalizeQuestion }, { loadLanguage }] = await Promise.all([
    import("./normal_question.ts"),
    import("./languages.ts"),
  ]);
  return async (contents: string[], language: string): Promise<NormalQuestion[]> => {
    const loaded = await loadLanguage(language);
    return contents.map((content) => normalizeQuestion(content, loaded));
  };
});

/** Reads a question in the language of a coach. */
export async function readQuestion(content: string, language: string): Promise<NormalQuestion> {
  const [read] = await (await loadReader())([content], language);
  return read!;
}

/** A question for SQL, read in the language of its coach; as long as that is not known or not needed, it is empty. */
export type AskedQuestion = NormalQuestion | { content: string; language: "" };

/** The coach who is asked or, where that is not known, the thread. */
type Subject = { coachId?: string | null; threadId?: string | null };

/** The languages of coaches and of threads whose coach was not named: what SQL has asked for, or "" where it has not. */
const known = new Map<string, string>();
const mostKnown = 10_000;
let latest = "";

/** Other workers may take what SQL has asked about. */
const mostCalls = 20;

/**
 * Calls a SQL function that compares questions. It needs them in the language of the coach; where they come in another,
 * it does nothing and names the language, and sometimes the text that it is about. The language is remembered, so that
 * happens once for a coach.
 *
 * @throws what `call` does.
 */
export async function withQuestions<Reply>(
  { coachId, threadId }: Subject,
  contents: string[],
  call: (asked: AskedQuestion[], language: string) => Promise<Reply>,
): Promise<Reply> {
  const id = coachId ?? threadId ?? "";
  // An account usually speaks one language: only a guess, which SQL checks.
  let language = known.get(id) ?? (coachId ? "" : latest);
  let given = contents;
  for (let calls = 1;; calls++) {
    const asked = language === ""
      ? given.map((content) => ({ content, language: "" as const }))
      : await (await loadReader())(given, language);
    try {
      return await call(asked, language);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.asked === null || calls === mostCalls) throw error;
      if (error.asked.content !== "") given = [error.asked.content];
      language = latest = error.asked.language;
      if (known.size >= mostKnown) known.clear();
      known.set(id, language);
    }
  }
}
