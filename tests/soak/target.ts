import { spokenChunks } from "../bench/spoken_chunks.ts";

/** How a coach's model answers, and what becomes of its answers. */
export type Manner = {
  /** As `tests/bench/model_server.ts` reads it. */
  model: string;
  chunks: number;
  /** How much of what the model has to say is stored. */
  outcome: "all" | "part" | "nothing";
};

/** The manners of the coaches that the traffic talks to. Only answers of `refused` and `cut` may fail. */
export const manners = {
  quick: { model: "chunks=12", chunks: 12, outcome: "all" },
  /** Long enough to be left, stopped and followed. */
  slow: { model: "chunks=40&first=20&gap=50", chunks: 40, outcome: "all" },
  refused: { model: "status=500", chunks: 0, outcome: "nothing" },
  cut: { model: "chunks=12&first=5&gap=10&cut=5", chunks: 12, outcome: "part" },
} satisfies Record<string, Manner>;

/** A coach, and how it answers. */
export type SoakCoach = Manner & { id: string };

/** What the traffic is driven against: functions, and an account that nobody else uses. */
export type SoakTarget = {
  functions: Record<"chat" | "users" | "threads" | "knowledge-handler", { url: string }>;
  /** Where the rows are read. */
  backend: { url: string; headers: Record<string, string> };
  accountId: string;
  /** Its limits are never reached. */
  apiKey: string;
  coaches: Record<keyof typeof manners, SoakCoach>;
};

/** Makes the coaches of a target; `create` makes one whose model has a name, and returns its id. */
export async function createCoaches(create: (model: string) => Promise<string>): Promise<SoakTarget["coaches"]> {
  const make = async (manner: Manner): Promise<SoakCoach> => ({ ...manner, id: await create(manner.model) });
  return {
    quick: await make(manners.quick),
    slow: await make(manners.slow),
    refused: await make(manners.refused),
    cut: await make(manners.cut),
  };
}

/** All that a coach's model has to say to a message. */
export function wholeAnswer({ chunks }: Manner, message: string): string {
  return spokenChunks(message, chunks).join("");
}
