import { type Client, createClient } from "../../../shared/clients/client/client.ts";
import { formOf } from "../../support/client.ts";
import { eventually } from "../../support/eventually.ts";
import type { Release } from "./releases.ts";
import type { UpgradeService } from "./upgrade_service.ts";

/** Clients that use a service until they are stopped. */
export type Traffic = {
  /** Waits until each kind of request was answered so many times more. @throws {Error} if one was not answered. */
  goesOn(times: number): Promise<void>;
  /** Stops the clients, and returns what they were told is stored. */
  stop(): Promise<Promises>;
};

/** IDs of what was acknowledged: answers, messages of the expert, and files. */
export type Promises = { messages: string[]; files: string[] };

/** Somebody with a key, signed in. */
export type Caller = { apiKey: string; accessToken: string };

/** The people of a snapshot: the person who asks, and the expert. */
export type People = { person: Caller; expert: Caller };

/**
 * Starts clients that continue a conversation of the snapshot and begin new ones, read lists, upload files, and work at
 * the desk, each one request after the other.
 */
export function startTraffic(service: UpgradeService, { names }: Release, { person, expert }: People): Traffic {
  const { coachId, threadId, takenThreadId, userId } = names;
  const promises: Promises = { messages: [], files: [] };
  const counts = new Map<string, number>();
  const failures: string[] = [];
  let goesOn = true;

  /** Sends a request whose reply must be 200. */
  async function call(method: string, path: string, caller: Caller, body?: unknown) {
    const response = await fetch(`${service.baseUrl}/functions/v1${path}`, {
      method,
      headers: {
        "X-API-Key": caller.apiKey,
        Authorization: `Bearer ${caller.accessToken}`,
        ...(body === undefined || body instanceof FormData ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  const [asPerson, asExpert] = [person, expert].map(({ apiKey, accessToken }): Client =>
    createClient({
      baseUrl: service.baseUrl,
      apiKey,
      session: { accessToken, refreshToken: "", expiresAt: Infinity, renewAt: Infinity, userId: "" },
      // Every request is answered, not every second one.
      backOff: { retries: 0 },
    })
  ) as [Client, Client];
  async function say(body: Parameters<Client["chat"]>[0]): Promise<void> {
    const answer = await asPerson.chat(body);
    await Array.fromAsync(answer);
    promises.messages.push(answer.messageId);
  }

  const clients: Record<string, () => Promise<unknown>> = {
    "a turn of a conversation": () => say({ message: "And then?", thread_id: threadId }),
    "a new conversation": () =>
      say({ message: "What does a retrospective need?", context: { coachId, userId, isAuthenticated: true } }),
    async "the lists of a person"() {
      await call("GET", "/coaches", person);
      await call("GET", "/users/me/threads?include=state", person);
      await call("GET", `/threads/${threadId}/messages?include=status,sources,feedback,author`, person);
    },
    async "an upload"() {
      const form = formOf([`${crypto.randomUUID()}.md`, "# New\n\nA file that came during the upgrade."]);
      const { uploadedFiles } = await call("POST", `/knowledge-handler?coachId=${coachId}`, expert, form);
      promises.files.push(...uploadedFiles.map(({ fileId }: { fileId: string }) => fileId));
      await call("GET", `/knowledge-handler?coachId=${coachId}&search=retrospective`, expert);
    },
    async "the desk"() {
      await call("GET", `/coaches/${coachId}/overview`, expert);
      await call("GET", `/coaches/${coachId}/questions`, expert);
      await call("PUT", `/coaches/${coachId}/draft`, expert, { title: `Coach ${crypto.randomUUID()}` });
      await asExpert.listConversations(coachId);
      const said = await call("POST", `/threads/${takenThreadId}/messages`, expert, { content: "I am still here." });
      promises.messages.push(said.id);
    },
  };

  const running = Object.entries(clients).map(async ([name, act]) => {
    while (goesOn && failures.length === 0) {
      try {
        await act();
        counts.set(name, (counts.get(name) ?? 0) + 1);
      } catch (error) {
        failures.push(`${name}: ${error}`);
      }
    }
  });
  const check = () => {
    if (failures.length > 0) throw new Error(failures.join("\n"));
  };
  return {
    async goesOn(times) {
      const before = new Map(counts);
      const isDone = (name: string) => (counts.get(name) ?? 0) >= (before.get(name) ?? 0) + times;
      await eventually(
        () => failures.length > 0 || Object.keys(clients).every(isDone),
        "every client was answered",
        60,
      );
      check();
    },
    async stop() {
      goesOn = false;
      await Promise.all(running);
      check();
      return promises;
    },
  };
}
