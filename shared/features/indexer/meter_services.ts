import type { Model } from "../../infra/llm/model.ts";
import type { ModelEvent } from "../../infra/llm/model_event.ts";
import type { MediaFile, ReadMedia } from "../../infra/llm/media_reader.ts";
import type { IndexerServices } from "./indexer_services.ts";
import type { WorkBudget } from "./work_budget.ts";

const megabyte = 1024 * 1024;

/**
 * Work that the runtime does while the code waits for an answer, in milliseconds: 1.5 times what was measured on the
 * functions' Deno, since a hosted project is reached through encrypted connections.
 */
export const costs = {
  /** To send a request and read a short answer: 0.4 to 1.5. */
  request: 2,
  /** To look a name up and make an encrypted connection. */
  connection: 4,
  /** To receive a file from Storage: 3.6. */
  megabyteReceived: 6,
  /** To pack an image for a model and send it: 14. Videos take less. */
  megabyteSent: 20,
  /** To read a list of 500 models: 15. Most have fewer. */
  modelList: 22,
  /** To read a vector and to send it on: 0.7. */
  vector: 1,
};

/** The same services. Waiting for them is free; the work that the runtime does meanwhile is charged to the budget. */
export function meterServices(services: IndexerServices, budget: WorkBudget): IndexerServices {
  const { database, files, embedder, media, model, catalogue, postMessage } = services;

  async function request<Result>(call: () => Promise<Result>, cost = 0): Promise<Result> {
    budget.charge(costs.request + cost);
    return await budget.wait(call);
  }
  function meterReader(read: ReadMedia | null): ReadMedia | null {
    return read &&
      ((file: MediaFile, signal) =>
        request(() => read(file, signal), file.bytes.length / megabyte * costs.megabyteSent));
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
    media: { describeImage: meterReader(media.describeImage), transcribe: meterReader(media.transcribe) },
    model: { ...model, stream: meterStream, remove: (id, signal) => request(() => model.remove(id, signal)) },
    catalogue: { ...catalogue, list: (signal) => request(() => catalogue.list(signal), costs.modelList) },
    // Each message goes over a connection of its own, and is signed.
    postMessage: (message, signal) => request(() => postMessage(message, signal), costs.connection),
    wakeIndexer: (log) => request(() => services.wakeIndexer(log)),
  };
}
