import { delay } from "../../shared/libs/base/std/async.ts";
import { type Environment, openChat } from "./environment.ts";
import type { MeasuredProcess } from "./measured_process.ts";
import { type Figure, percentile } from "./report.ts";
import { orShort } from "./short_form.ts";

/** Calls of each kind at the same time: as many as the REST of a project has connections. */
const parallel = orShort(10, 2);
/** Milliseconds from the begin of one chat to that of the next. There are at least so many, and more beside slow calls. */
const pace = orShort(200, 20);
const fewestChats = orShort(40, 1);

/** A kind of call that costs much, of a tenant that sends many of them. */
type Kind = { name: string; path: string; method?: string; body: (index: number) => unknown };

/** What an expert of the busy tenant sends, by the function that serves it. */
function describeKinds(coachId: string): Record<string, Kind[]> {
  const answers = `/coaches/${coachId}/answers`;
  return {
    coaches: [
      { name: "previews of a sheet", path: `${answers}/import`, body: () => ({ csv: writeSheet(0), preview: true }) },
      { name: "imports of a sheet", path: `${answers}/import`, body: (index) => ({ csv: writeSheet(index) }) },
      {
        name: "answers with long variants",
        path: answers,
        body: (index) => ({ question: `Why ${index}?`, answer: "So.", variants: writeVariants(index) }),
      },
      {
        name: "searches of all answers",
        method: "GET",
        path: `${answers}?search=${"a+e+i+o+".repeat(4)}x`,
        body: () => {},
      },
      { name: "exports of all answers", method: "GET", path: `${answers}/export`, body: () => {} },
    ],
    openai: [{
      name: "conversations of tiny messages",
      path: "/openai/v1/chat/completions",
      body: () => ({
        model: coachId,
        messages: [...Array(orShort(110_000, 10)).fill({ role: "user", content: "a" }), {
          role: "user",
          content: "b?",
        }],
      }),
    }],
  };
}

/** The largest sheet: of 1,000 rows with 20 variants each, other ones for each index. */
function writeSheet(index: number): string {
  const rows = Array.from({ length: orShort(1_000, 3) }, (_, row) => {
    const variants = Array.from({ length: 20 }, (_, place) => `${index} v${row} w${place} the cat sat x${row * place}`);
    return `q ${index} ${row} aa?,a,"${variants.join("\n")}"`;
  });
  return `question,answer,variants\n${rows.join("\n")}`;
}

function writeVariants(index: number): string[] {
  return Array.from({ length: 20 }, (_, place) => `${index} ${place} the cat sat on a mat `.repeat(40).slice(0, 900));
}

/** The time of another account's chats while one account sends calls of each expensive kind at the same time. */
export async function measureFairness(environment: Environment): Promise<Figure[]> {
  const busy = await environment.createTenant(["chat", "expert"]);
  const [busyCoach, coachId] = [
    await environment.createCoach("chunks=1", busy.accountId),
    await environment.createCoach("chunks=1"),
  ];
  await using chat = await environment.startFunction("chat");
  const timeChat = async () => {
    const began = performance.now();
    await (await openChat(environment, { url: chat.url, coachId, message: "What is it?" })).text();
    return performance.now() - began;
  };
  // The first chats of a process warm it up.
  await timeChats(timeChat, async () => {});
  const figures: Figure[] = [];
  for (const [name, kinds] of Object.entries(describeKinds(busyCoach))) {
    await using served = await environment.startFunction(name, {}, { onComplaint: () => {} });
    for (const kind of kinds) {
      const alone = await timeChats(timeChat, async () => {});
      let statuses: number[] = [];
      const began = performance.now();
      let took = 0;
      const times = await timeChats(timeChat, async () => {
        statuses = await Promise.all(
          Array.from({ length: parallel }, (_, index) => send(served, busy.apiKey, kind, index)),
        );
        took = performance.now() - began;
      });
      const counts = Map.groupBy(statuses, (status) => status);
      const ends = Array.from(counts, ([status, { length }]) => `${length} × ${status}`).join(", ");
      const title = `${parallel} ${kind.name} (${ends})`;
      figures.push(
        { name: `${title}: until all have ended`, unit: "ms", measured: took },
        ...[0.5, 0.95].map((share): Figure => ({
          name: `${title}: ${share * 100} % of another's chats within`,
          unit: "ms",
          measured: percentile(times, share),
          baseline: percentile(alone, share),
          budget: { ratio: 2 },
        })),
      );
    }
  }
  return figures;
}

/** Times chats that begin at a pace of their own, however long each takes, until some work has ended. */
async function timeChats(timeChat: () => Promise<number>, work: () => Promise<void>): Promise<number[]> {
  let isBusy = true;
  const end = work().finally(() => isBusy = false);
  const chats: Promise<number>[] = [];
  while (isBusy || chats.length < fewestChats) {
    chats.push(timeChat());
    await delay(pace);
  }
  await end;
  return await Promise.all(chats);
}

/** Sends a call and returns the status of its reply. */
async function send(served: MeasuredProcess, apiKey: string, { method = "POST", path, body }: Kind, index: number) {
  const response = await fetch(served.url + path, {
    method,
    headers: { "X-API-Key": apiKey, Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    body: method === "GET" ? undefined : JSON.stringify(body(index)),
  });
  await response.arrayBuffer();
  return response.status;
}
