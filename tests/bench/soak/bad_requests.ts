import type { SoakTarget } from "./target.ts";

/** A request to a function. */
export type FunctionRequest = {
  functionName: keyof SoakTarget["functions"];
  method: string;
  path: string;
  /** Null: no key is sent. */
  apiKey?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
};

/** A request that must be refused, and the status of the refusal. */
export type BadRequest = FunctionRequest & { status: number };

const nowhere = "00000000-0000-4000-8000-00000000dead";

/** One of every kind of mistake. */
export function listBadRequests({ coaches }: Pick<SoakTarget, "coaches">): BadRequest[] {
  const coachId = coaches.quick.id;
  const chat = { functionName: "chat", method: "POST", path: "/chat" } as const;
  const list = { functionName: "users", method: "GET", path: "/users/nobody/threads" } as const;
  const search = { functionName: "knowledge-handler", method: "GET" } as const;
  return [
    { ...chat, status: 400, body: '{"message": ' },
    { ...chat, status: 400, body: { context: { coachId } } },
    { ...chat, status: 400, body: { message: " ", context: { coachId } } },
    { ...chat, status: 400, body: { message: "bad", thread_id: "no uuid" } },
    { ...chat, status: 404, body: { message: "bad", thread_id: nowhere } },
    { ...chat, status: 404, body: { message: "bad", context: { coachId: nowhere } } },
    { ...chat, status: 400, body: { message: "bad", context: { coachId } }, headers: { "Idempotency-Key": "é" } },
    { ...chat, status: 401, apiKey: null, body: { message: "bad", context: { coachId } } },
    { ...chat, status: 405, method: "DELETE" },
    { ...chat, status: 404, path: `/chat/${nowhere}/stop` },
    { ...chat, status: 404, method: "GET", path: `/chat/${nowhere}/stream` },
    { ...chat, status: 400, method: "GET", path: `/chat/${nowhere}/stream`, headers: { "Last-Event-ID": "x" } },
    { ...list, status: 401, apiKey: null },
    { ...list, status: 401, apiKey: "hi_live_mistyped" },
    { ...list, status: 401, headers: { Authorization: "Bearer forged" } },
    { ...list, status: 400, path: "/users/nobody/threads?limit=0" },
    { ...list, status: 404, path: "/users/nobody/files" },
    { ...list, status: 405, path: "/users/nobody" },
    { functionName: "threads", method: "GET", status: 404, path: `/threads/${nowhere}/messages` },
    { functionName: "threads", method: "GET", status: 404, path: "/threads/no-uuid/messages" },
    { ...search, status: 400, path: "/knowledge-handler" },
    { ...search, status: 400, path: `/knowledge-handler?coachId=${coachId}&page=0` },
    { ...search, status: 404, path: `/knowledge-handler?coachId=${nowhere}` },
    { ...search, status: 404, method: "DELETE", path: `/knowledge-handler/${nowhere}?coachId=${coachId}` },
    { ...search, status: 400, method: "POST", path: `/knowledge-handler?coachId=${coachId}`, body: {} },
  ];
}
