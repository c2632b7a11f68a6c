import { fieldsOf } from "../../libs/base/fields_of.ts";
import { createJointCalls } from "../../libs/base/joint_calls.ts";
import { type Database, DatabaseError, type FunctionArgs, isUnanswered, parseJson } from "./database.ts";

type Begin = FunctionArgs<"begin_turn">;

/** Fields of a turn that has other locks, which only a call by itself takes in the order of all. */
const unusual = ["retried_id", "replaces"];
/** Milliseconds for which turns like one that had to be sent by itself are sent so too. */
const memory = 60_000;
const mostRemembered = 1_000;

/**
 * A database with which turns begin together that would begin at the same time: Postgres spends less on eight in one call
 * than on three. Each is admitted, counted and refused as if it came by itself.
 */
export function joinBegins(database: Database): Database {
  const joint = createJointCalls(async (calls: Begin[]) => {
    if (calls.length === 1) return [await database.callForBytes("begin_turn", calls[0]!)];
    return splitReplies(await database.callForBytes("begin_turns", { calls }));
  }, { atOnce: 2, most: 8, isSplit: (error) => !isUnanswered(error) });
  /** When turns of a key with a coach may be sent together again. */
  const alone = new Map<string, number>();

  async function begin(args: Begin): Promise<Uint8Array<ArrayBuffer>> {
    const [caller, turn] = [fieldsOf(args.caller), fieldsOf(args.turn)];
    const kind = `${caller.key_digest ?? caller.api_key_id} ${turn.coach_id}`;
    // A publishable key, which a page shows, also counts the requests of each user.
    const isAlone = unusual.some((field) => (turn[field] ?? null) !== null) || "is_same_origin" in caller ||
      performance.now() < (alone.get(kind) ?? 0);
    if (isAlone) return await database.callForBytes("begin_turn", args);
    const reply = await joint.call(args);
    const refusal = reply.length < 100 ? fieldsOf(parseJson("begin_turns", reply)) : {};
    const { is_alone, error_code } = refusal;
    if (typeof error_code === "string") throw new DatabaseError("begin_turn", error_code, undefined, refusal);
    if (is_alone === undefined) return reply;
    if (alone.size >= mostRemembered) alone.clear();
    if (is_alone !== "once") alone.set(kind, performance.now() + memory);
    return await database.callForBytes("begin_turn", args);
  }

  return {
    ...database,
    callForBytes: (name, args) =>
      name === "begin_turn" ? begin(args as unknown as Begin) : database.callForBytes(name, args),
  };
}

const lineFeed = 10;

/** The entries of an array of which Postgres has written each on a line of its own: none is parsed twice. */
function splitReplies(reply: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const replies: Uint8Array<ArrayBuffer>[] = [];
  // Each begins with a bracket or a space, and ends with a bracket or a comma.
  for (let start = 0, end; start < reply.length; start = end + 1) {
    const next = reply.indexOf(lineFeed, start);
    end = next < 0 ? reply.length : next;
    replies.push(reply.subarray(start + 1, end - 1));
  }
  return replies;
}
