import type { ConfiguredModel, ListedModel } from "./model_catalogue.ts";

/** A configured model that does not answer, or soon will not. `date` is the day on which it ends, `YYYY-MM-DD`. */
export type ModelWarning = ConfiguredModel & ({ kind: "ends"; date: string } | { kind: "missing"; date: null });

/** The time before its end at which a model is warned of. */
const noticeDays = 90;

/**
 * Finds the configured models that have ended, end within 90 days, or are not on the list of their server. Servers know
 * models under more names than they list; a name counts as missing only where no listed one can be meant.
 *
 * @param today `YYYY-MM-DD`, in UTC.
 */
export function findModelWarnings(
  configured: ConfiguredModel[],
  list: ListedModel[],
  today: string,
): ModelWarning[] {
  const noticeFrom = new Date(`${today}T00:00:00Z`);
  noticeFrom.setUTCDate(noticeFrom.getUTCDate() + noticeDays);
  const lastDay = noticeFrom.toISOString().slice(0, 10);

  return configured.flatMap((each): ModelWarning[] => {
    const meant = findMeant(each.model, list);
    if (meant.length === 0) {
      return isListedAtAll(each, list) ? [{ ...each, kind: "missing", date: null }] : [];
    }
    // A name that stands for several models moves on to the one that lasts.
    const ends = meant.map(({ shutdownDate }) => shutdownDate ?? "never").toSorted().at(-1)!;
    return ends === "never" || ends > lastDay ? [] : [{ ...each, kind: "ends", date: ends }];
  });
}

/** The models that a name can mean, by the first way in which it can mean any. */
function findMeant(name: string, list: ListedModel[]): ListedModel[] {
  for (const matches of namings) {
    const meant = list.filter(({ id }) => matches(name.toLowerCase(), id.toLowerCase()));
    if (meant.length > 0) return meant;
  }
  return [];
}

/** The relations between names and the ids on a list, the closest first. */
const namings: ((name: string, id: string) => boolean)[] = [
  (name, id) => name === id,
  // Ollama lists `name:latest` for `name`.
  (name, id) => withoutLatest(name) === withoutLatest(id),
  // Gemini lists `models/name`, gateways `owner/name`.
  (name, id) => id.endsWith(`/${name}`) || name.endsWith(`/${id}`),
  // Anthropic and Mistral list `name-20251001` and `name-2508` for `name` and `name-latest`.
  (name, id) => name.replace(/-latest$/, "") === id.replace(/[-@](?:\d{4}-\d{2}-\d{2}|\d{4,8}|latest)$/, ""),
  // OpenRouter takes `name:nitro` for `name`.
  (name, id) => name.replace(/:[^:/]*$/, "") === id,
  // LiteLLM lists `openai/*`.
  (name, id) => id.endsWith("*") && name.startsWith(id.slice(0, -1)),
];

function withoutLatest(name: string): string {
  return name.replace(/:latest$/, "");
}

/** Returns whether the list would contain such a model: OpenRouter's only has models that generate text. */
function isListedAtAll({ setting }: ConfiguredModel, list: ListedModel[]): boolean {
  if (list.length === 0) return false;
  const makesText = setting !== "OPENAI_EMBEDDING_MODEL" && setting !== "OPENAI_TRANSCRIPTION_MODEL";
  return makesText || list.some(({ outputs }) => outputs === undefined || outputs.some((output) => output !== "text"));
}
