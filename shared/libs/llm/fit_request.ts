import type { ModelRequest, SaidMessage } from "./model_request.ts";

/**
 * The number of characters of a request that fit into a context: three to a token (English has four, Chinese one), with
 * a quarter of the context left for the answer.
 */
export function charactersOf(contextTokens: number): number {
  return Math.floor(contextTokens * 0.75 * 3);
}

/** The characters of everything that the model reads, in UTF-16 units. Images do not count. */
export function sizeOf({ instructions, history, quoted, input, tools = [] }: ModelRequest): number {
  let size = instructions.length;
  for (const items of [history, quoted, input]) for (const item of items) size += sizeOfItem(item);
  for (const tool of tools) size += JSON.stringify(tool).length;
  return size;
}

function sizeOfItem(item: ModelRequest["input"][number]): number {
  if ("output" in item) return item.output.length;
  if ("arguments" in item) return item.arguments.length;
  return typeof item.content === "string" ? item.content.length : 0;
}

/** The request with as much of its history as fits into a number of characters. Everything else stays. */
export function fitRequest(request: ModelRequest, characters: number): ModelRequest {
  const size = sizeOf(request);
  if (size <= characters) return request;
  const rest = size - sizeOfHistory(request.history);
  return { ...request, history: fitHistory(request.history, characters - rest) };
}

/**
 * Shortens a request that is too long for the model: first to half its history, then to none and without the last
 * quoted message, and so on down to the input alone. Null if nothing is left to leave out.
 */
export function shortenRequest(request: ModelRequest, isHalved: boolean): ModelRequest | null {
  const { history, quoted } = request;
  if (history.length > 0 && !isHalved) {
    return { ...request, history: fitHistory(history, Math.floor(sizeOfHistory(history) / 2)) };
  }
  return history.length > 0 || quoted.length > 0 ? { ...request, history: [], quoted: quoted.slice(0, -1) } : null;
}

/** The newest messages, beginning with a question, that together fit into a number of characters. */
function fitHistory(history: SaidMessage[], characters: number): SaidMessage[] {
  let left = characters;
  let from = history.length;
  while (from > 0) {
    left -= history[from - 1]!.content.length;
    if (left < 0) break;
    from--;
  }
  // Of an exchange whose question does not fit, the answer means little.
  while (history[from]?.role === "assistant") from++;
  return history.slice(from);
}

function sizeOfHistory(history: SaidMessage[]): number {
  return history.reduce((sum, { content }) => sum + content.length, 0);
}
