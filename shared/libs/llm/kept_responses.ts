import { fieldsOf } from "../base/fields_of.ts";
import { abortable } from "../base/std/async.ts";
import type { ModelServer } from "./model_settings.ts";
import { createAnswerText } from "./answer_text.ts";
import type { Phase, Usage } from "./model_event.ts";
import { createClientLoader } from "./openai_client.ts";
import { responsesApi } from "./responses_api.ts";

/** A response as the backend keeps it. */
export type KeptResponse = { text: string; phase: Phase | null; isComplete: boolean; usage: Usage | null };

/** The responses that the model's server keeps. */
export interface KeptResponses {
  /** Fetches a kept response: `running` while it is not final, `gone` when the backend does not have it. */
  retrieve(responseId: string, signal: AbortSignal): Promise<KeptResponse | "running" | "gone">;
  /** Deletes a kept response. One that the backend does not have, or cannot delete, counts as deleted. */
  remove(responseId: string, signal: AbortSignal): Promise<void>;
}

/** Reaches kept responses by the official client. */
export function createKeptResponses(env: ModelServer): KeptResponses {
  const loadClient = createClientLoader(env);
  return {
    async retrieve(responseId, signal) {
      const { responses } = await loadClient();
      try {
        const response = await abortable(responses.retrieve(responseId, {}, { signal, maxRetries: 0 }), signal);
        if (response.status === "queued" || response.status === "in_progress") return "running";
        return readKept(fieldsOf(response));
      } catch (error) {
        if (statusOf(error) === 404) return "gone";
        throw error;
      }
    },

    async remove(responseId, signal) {
      const { responses } = await loadClient();
      try {
        await abortable(responses.delete(responseId, { signal, maxRetries: 0 }), signal);
      } catch (error) {
        // Not every server of this API keeps responses, or can delete them.
        if (![404, 405, 501].includes(statusOf(error))) throw error;
      }
    },
  };
}

function readKept(response: Record<string, unknown>): KeptResponse {
  const answer = createAnswerText();
  const kept: KeptResponse = { text: "", phase: null, isComplete: false, usage: null };
  const reader = responsesApi.createReader((event) => {
    kept.text += answer.read(event);
    if (event.type !== "ended") return;
    kept.isComplete = true;
    kept.usage = event.usage;
  }, String(response.model ?? ""));
  reader.readWhole(response);
  kept.text += answer.end();
  return { ...kept, phase: answer.phase };
}

function statusOf(error: unknown): number {
  return Number(fieldsOf(error).status);
}
