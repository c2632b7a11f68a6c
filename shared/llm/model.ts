import { deadline } from "deno-std/async/deadline.js";
import type OpenAI from "openai";
import type { OpenaiEnv } from "../env.ts";
import { fieldsOf } from "../fields_of.ts";
import { createTextCleaner } from "../text/clean_text.ts";
import { createEventReader, isCutAtTokenLimit, type ModelEvent, readUsage, type Usage } from "./event_reader.ts";
import { createClientLoader } from "./openai_client.ts";

/** A function that the model may call, as the Responses API describes it. */
export type ModelTool = OpenAI.Responses.FunctionTool;

/** What the model is asked. */
export type ModelRequest = {
  /** Null: the model of the deployment. */
  model: string | null;
  instructions: string;
  input: (Message | CallItem | CallOutput)[];
  /** Null: the default of the model. */
  temperature: number | null;
  tools?: ModelTool[];
  /** `none`: the model sees the tools, but has to answer without them. */
  toolChoice?: "none";
};

type Message = { role: "user" | "assistant" | "system"; content: string };
type CallItem = { type: "function_call"; call_id: string; name: string; arguments: string };
type CallOutput = { type: "function_call_output"; call_id: string; output: string };

/** A response as the backend keeps it. */
export type KeptResponse = { text: string; isComplete: boolean; usage: Usage | null };

/** A language model behind the Responses API. */
export interface Model {
  /**
   * Streams a reply: for every network read, its events. Ends after an `ended` event.
   *
   * @throws {ModelError} when the model fails or breaks off; errors of the client when it refuses or is out of reach.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent[]>;
  /** Fetches a kept response: `running` while it is not final, `gone` when the backend does not have it. */
  retrieve(responseId: string, signal: AbortSignal): Promise<KeptResponse | "running" | "gone">;
  /** Deletes a kept response. One that the backend does not have, or cannot delete, counts as deleted. */
  remove(responseId: string, signal: AbortSignal): Promise<void>;
}

/** A stream that failed; `code` is what the model calls the failure. */
export class ModelError extends Error {
  override name = "ModelError";

  constructor(readonly code: string) {
    super(`The model's stream failed: ${code}`);
  }
}

/**
 * A model behind the official client, with its requests, retries and errors. Its stream is not used: that builds every
 * event in full.
 */
export function createModel(env: OpenaiEnv): Model {
  const loadClient = createClientLoader(env);

  return {
    async *stream({ model, temperature, toolChoice, ...request }, signal) {
      const { responses } = await loadClient();
      const response = await responses.create(
        {
          ...request,
          model: model ?? env.model,
          stream: true,
          temperature: temperature ?? undefined,
          tool_choice: toolChoice,
        },
        { signal },
      ).asResponse();
      if (response.body === null) throw new ModelError("no_stream");
      const reader = response.body.getReader({ mode: "byob" });
      const read = createEventReader();
      // One buffer for all reads: to make a new one each time would cost more than everything that is done with it.
      let buffer = new ArrayBuffer(16 * 1024);
      try {
        while (true) {
          const { value, done } = await reader.read(new Uint8Array(buffer));
          if (done) throw new ModelError("stream_cut");
          const events = read(value);
          buffer = value.buffer;
          yield events;
          for (const event of events) {
            if (event.type === "failed") throw new ModelError(event.reason);
            if (event.type === "ended") return drain(reader, buffer);
          }
        }
      } catch (error) {
        reader.cancel().catch(() => {});
        throw error;
      }
    },

    async retrieve(responseId, signal) {
      const { responses } = await loadClient();
      try {
        const response = await responses.retrieve(responseId, {}, { signal, maxRetries: 0 });
        if (response.status === "queued" || response.status === "in_progress") return "running";
        const clean = createTextCleaner();
        return {
          text: clean(response.output_text) + clean(),
          isComplete: response.status === "completed" || isCutAtTokenLimit(response),
          usage: readUsage(response),
        };
      } catch (error) {
        if (statusOf(error) === 404) return "gone";
        throw error;
      }
    },

    async remove(responseId, signal) {
      const { responses } = await loadClient();
      try {
        await responses.delete(responseId, { signal, maxRetries: 0 });
      } catch (error) {
        // Not every server of this API keeps responses, or can delete them.
        if (![404, 405, 501].includes(statusOf(error))) throw error;
      }
    },
  };
}

function statusOf(error: unknown): number {
  return Number(fieldsOf(error).status);
}

/** Reads what follows the last event, so that the connection can be used again. A server that does not end is left. */
function drain(reader: ReadableStreamBYOBReader, buffer: ArrayBuffer): void {
  const toEnd = async () => {
    for (let rest = await reader.read(new Uint8Array(buffer)); !rest.done;) {
      rest = await reader.read(new Uint8Array(rest.value.buffer));
    }
  };
  deadline(toEnd(), 1_000).catch(() => reader.cancel()).catch(() => {});
}
