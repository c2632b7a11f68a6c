import type { Model } from "../../libs/llm/model.ts";
import type { ModelEvent } from "../../libs/llm/model_event.ts";
import type { MediaFile, ReadMedia } from "../../libs/llm/media_reader.ts";
import type { Models } from "../../libs/llm/models.ts";
import type { AnswerJournal } from "../../core/answers/answer_journal.ts";
import type { CoreServices } from "../../core/core_services.ts";
import type { WorkBudget } from "../../core/work_budget.ts";
import type { PostMessage } from "../webhooks/post_message.ts";

/** The dependencies of sweeps. */
export type IndexerServices = CoreServices & Models & {
  journal: AnswerJournal;
  /** Sends a message to the webhook of an account. */
  postMessage: PostMessage;
};

/** The same for the work of one sweep. */
export type SweepServices = IndexerServices & {
  /** True if any account has budgets. */
  isBudgeted: boolean;
};

const megabyte = 1024 * 1024;

/** The runtime's work while the code waits for a reply, in milliseconds: 1.5 times what was measured, for TLS. */
export const costs = {
  /** Sending a request and reading a short reply: 0.4 to 1.5. */
  request: 2,
  /** Answering a test: some eight requests. */
  test: 20,
  /** Reading a token of a streamed answer: an answer in 300 pieces takes 60. */
  token: 0.2,
  /** Resolving a name and making an encrypted connection. */
  connection: 4,
  /** Receiving a file from Storage: 3.6. */
  megabyteReceived: 6,
  /** Encoding an image for a model and sending it: 14. Videos take less. */
  megabyteSent: 20,
  /** Reading a list of 500 models: 15. Most servers have fewer. */
  modelList: 22,
  /** Reading a vector and sending it on: 0.7. */
  vector: 1,
};

/** Wraps the services. Waiting is free; the work that the runtime does meanwhile is charged to the budget. */
export function meterServices(services: IndexerServices, budget: WorkBudget): IndexerServices {
  const { database, files, embedder, media, model, catalogue, postMessage } = services;

  async function request<Result>(call: () => Promise<Result>, cost = 0): Promise<Result> {
    budget.charge(costs.request + cost);
    return await budget.wait(call);
  }
  function meterReader(read: ReadMedia | null): ReadMedia | null {
    return read &&
      ((file: MediaFile, signal, options) =>
        request(() => read(file, signal, options), file.bytes.length / megabyte * costs.megabyteSent));
  }

  async function* meterStream(...args: Parameters<Model["stream"]>): AsyncGenerator<ModelEvent[]> {
    budget.charge(costs.request);
    const stream = model.stream(...args)[Symbol.asyncIterator]();
    try {
      while (true) {
        const { value, done } = await budget.wait(() => stream.next());
        if (done) return;
        yield value;
      }
    } finally {
      await stream.return?.();
    }
  }

  return {
    ...services,
    database: { ...database, call: (name, args, schema) => request(() => database.call(name, args, schema)) },
    files: {
      ...files,
      async get(path, signal) {
        const bytes = await request(() => files.get(path, signal));
        budget.charge(bytes.length / megabyte * costs.megabyteReceived);
        return bytes;
      },
      remove: (paths) => request(() => files.remove(paths)),
    },
    embedder: embedder && {
      ...embedder,
      embed: (texts, signal) => request(() => embedder.embed(texts, signal), texts.length * costs.vector),
    },
    media: { ...media, describeImage: meterReader(media.describeImage), transcribe: meterReader(media.transcribe) },
    model: { ...model, stream: meterStream, remove: (id, signal) => request(() => model.remove(id, signal)) },
    catalogue: { ...catalogue, list: (signal) => request(() => catalogue.list(signal), costs.modelList) },
    // Each message uses its own connection, and is signed.
    postMessage: (message, signal) => request(() => postMessage(message, signal), costs.connection),
    wakeIndexer: (log) => request(() => services.wakeIndexer(log)),
  };
}
