import { startBackendProxy } from "./backend_proxy.ts";
import { type Environment, openChat } from "./environment.ts";
import type { Figure } from "./report.ts";

/** Requests to Supabase before the first chunk of a chat and for each list, counted by a proxy in front of it. */
export async function countRequests(environment: Environment): Promise<Figure[]> {
  await using backend = startBackendProxy(environment.backendUrl);
  const env = { SUPABASE_URL: backend.url };
  await using chat = await environment.startFunction("chat", env);
  await using users = await environment.startFunction("users", env);
  await using threads = await environment.startFunction("threads", env);

  // The model is slow, so that the answer is stored after the first chunk.
  const coachId = await environment.createCoach("chunks=2&gap=300");
  backend.count = 0;
  const response = await openChat(environment, { url: chat.url, coachId, message: "How many?" });
  const reader = response.body!.getReader();
  await reader.read();
  const beforeFirstChunk = backend.count;
  while (!(await reader.read()).done);

  async function requestsOf(url: string): Promise<number> {
    backend.count = 0;
    const response = await fetch(url, { headers: { "X-API-Key": environment.apiKey } });
    if (!response.ok) throw new Error(`The list said ${response.status} ${await response.text()}`);
    await response.body?.cancel();
    return backend.count;
  }
  const figure = (name: string, measured: number): Figure => ({
    name: `requests to Supabase: ${name}`,
    unit: "",
    measured,
    budget: { atMost: 1 },
  });
  return [
    figure("chat, before the first chunk", beforeFirstChunk),
    figure("list of threads", await requestsOf(`${users.url}/users/nobody/threads`)),
    figure(
      "list of messages",
      await requestsOf(`${threads.url}/threads/${response.headers.get("X-Thread-Id")}/messages`),
    ),
  ];
}
