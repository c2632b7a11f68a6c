import { spokenChunks } from "../spoken_chunks.ts";

/** The behavior of a coach's model, and how much of its answers must be stored. */
export type Manner = {
  /** The name of the model, which `tests/bench/model_server.ts` reads. */
  model: string;
  chunks: number;
  /** The part of the model's text that must be stored. */
  outcome: "all" | "part" | "nothing";
};

/** The manners of the coaches that the traffic talks to. Only answers of `refused` and `cut` may fail. */
export const manners = {
  quick: { model: "chunks=12", chunks: 12, outcome: "all" },
  /** Long enough for clients to disconnect from it, stop it and follow it. */
  slow: { model: "chunks=40&first=20&gap=50", chunks: 40, outcome: "all" },
  refused: { model: "status=500", chunks: 0, outcome: "nothing" },
  cut: { model: "chunks=12&first=5&gap=10&cut=5", chunks: 12, outcome: "part" },
} satisfies Record<string, Manner>;

/** A coach, and how it answers. */
export type SoakCoach = Manner & { id: string };

/** The target of the traffic: the functions, and an account that is used for nothing else. */
export type SoakTarget = {
  functions: Record<"chat" | "users" | "threads" | "knowledge-handler", { url: string }>;
  /** The backend from which rows are read. */
  backend: { url: string; headers: Record<string, string> };
  accountId: string;
  /** A key whose limits are never reached. */
  apiKey: string;
  coaches: Record<keyof typeof manners, SoakCoach>;
};

/** Creates the coaches of a target; `create` makes a coach with a model of that name, and returns its id. */
export async function createCoaches(create: (model: string) => Promise<string>): Promise<SoakTarget["coaches"]> {
  const make = async (manner: Manner): Promise<SoakCoach> => ({ ...manner, id: await create(manner.model) });
  return {
    quick: await make(manners.quick),
    slow: await make(manners.slow),
    refused: await make(manners.refused),
    cut: await make(manners.cut),
  };
}

/** The whole text of a coach's model in answer to a message. */
export function wholeAnswer({ chunks }: Manner, message: string): string {
  return spokenChunks(message, chunks).join("");
}
