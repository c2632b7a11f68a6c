import type { BudgetedModel } from "../../../core/budgets/budgeted_models.ts";
import { createCitationFilter } from "../../../core/answers/citation_filter.ts";
import type { Source } from "../../../core/answers/stored_answer.ts";
import type { ModelRequest, SaidMessage } from "../../../libs/llm/model_request.ts";
import type { UsageMeter } from "../../../libs/llm/usage_meter.ts";
import type { PassedOn } from "../prompt/ask_expert_tool.ts";
import { buildRequest } from "../prompt/build_request.ts";
import { citeSources } from "../prompt/cite_sources.ts";
import type { Findings } from "../begun_turn.ts";
import { askModel, readFailure } from "./ask_model.ts";
import type { RunContext } from "./turn.ts";
import type { Watchdog } from "./watchdog.ts";

/** The maximum length of an answer, in UTF-16 units. */
const maxLength = 1024 * 1024;

/** An answer that is stored nowhere. */
export type SaidAnswer = {
  text: string;
  /** All that the model was given; those that the text names have a `number`. Empty if it is based on none of it. */
  sources: Source[];
  /** The question that the model passes on to the expert; left out if it passes on none. */
  passedOn?: PassedOn;
};

/** The request of a turn that leaves nothing behind. */
export function prepareOnce(
  found: Pick<Findings, "coach" | "userHash" | "pinned" | "passages">,
  { question, history, isDraft }: { question: string; history: SaidMessage[]; isDraft?: boolean },
): ModelRequest {
  const request = buildRequest({ ...found, threadId: "", history }, {
    message: question,
    mode: null,
    mayStoreNotes: false,
    isDraft,
  });
  // Otherwise, nobody would delete the response that the model's server stores.
  return { ...request, settings: { ...request.settings, store: false }, cacheKey: undefined };
}

/**
 * Has the model answer a question as in a turn, and stores nothing: no thread, no open question, no hit.
 *
 * @param request from {@link prepareOnce}
 * @throws {ApiError} the failure that a turn would have had
 */
export async function sayOnce(
  ctx: RunContext,
  found: Pick<Findings, "coach" | "pinned" | "passages">,
  { question, request, model, watchdog, meter, show = () => {} }: {
    question: string;
    request: ModelRequest;
    model: BudgetedModel;
    watchdog: Watchdog;
    meter: UsageMeter;
    /** Is given the text as it comes. */
    show?: (text: string) => void;
  },
): Promise<SaidAnswer> {
  const { language, noAnswer } = found.coach;
  const turn = { allowance: null, language, noAnswer, storeNote: null, request };
  const citations = createCitationFilter(citeSources(found, question));
  let passedOn: PassedOn | undefined;
  let text = "";
  try {
    const passOn = (given: PassedOn) => {
      passedOn = given;
      if (text === "") citations.forget();
      return Promise.resolve(true);
    };
    for await (const events of askModel(ctx, turn, { model, watchdog, passOn, meter })) {
      for (const event of events) if (event.type === "text") add(citations.read(event.text));
      if (text.length >= maxLength) break;
    }
  } catch (error) {
    throw readFailure(error, watchdog.signal.aborted);
  } finally {
    watchdog.stop();
  }
  add(citations.end());
  return { text: text.toWellFormed(), sources: citations.sources ?? [], passedOn };

  function add(piece: string): void {
    const room = maxLength - text.length;
    const added = piece.length <= room ? piece : piece.slice(0, room).toWellFormed();
    text += added;
    if (added !== "") show(added);
  }
}
