import { assertEquals } from "./assert.ts";
import type { HttpError, ModelBody } from "./model_server.ts";
import type { Service } from "./service.ts";
import type { TurnRecord } from "./turn_record.ts";

/** Environment variables with which a request sends everything that can be set. */
export const everything = {
  OPENAI_TEMPERATURE: "0.5",
  OPENAI_REASONING_EFFORT: "low",
  OPENAI_VERBOSITY: "low",
  OPENAI_MAX_OUTPUT_TOKENS: "1000",
  OPENAI_STORE: "false",
};

/** The bodies of the requests for a model so far, oldest first. */
export function bodiesOf(service: Service, modelName: string): ModelBody[] {
  return service.model.requestsOf(modelName).map(({ body }) => body);
}

/** The body of the latest request for a model. */
export function lastBodyOf(service: Service, modelName: string): ModelBody {
  return bodiesOf(service, modelName).at(-1)!;
}

/** The error of a server that does not accept a part of a request, as OpenAI words it. */
export function unsupported(param: string | null, message: string, code: string | null = null): HttpError {
  return { status: 400, body: { error: { message, type: "invalid_request_error", param, code } } };
}

/** The parameters that were left out according to the log, in its order. */
export function leftOut({ lines }: TurnRecord): unknown[] {
  const refusals = lines.filter(({ event }) => event === "model_refuses");
  for (const { level, model } of refusals) assertEquals([level, typeof model], ["warn", "string"]);
  return refusals.map(({ left_out }) => left_out);
}
