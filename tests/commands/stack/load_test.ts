import { pooledMap } from "../../../shared/libs/base/std/async.ts";
import { startServer } from "../../bench/measured_process.ts";
import { spokenChunks } from "../../bench/spoken_chunks.ts";
import { assert, assertEquals } from "../../support/assert.ts";
import { ask, assertReply, type NewFile, readEvents, send, upload } from "../../support/client.ts";
import { clearQueue, deleteRows, objectsOf, rowsOf } from "../../support/knowledge.ts";
import { eventually } from "../../support/eventually.ts";
import { type ModelServer, startModelServer } from "../../support/model_server.ts";
import { type Platform, startPlatform } from "../../support/platform.ts";
import { createTenant, operator } from "../../support/project.ts";
import { makePdfOfStreams, packed, sentences, showLines } from "../../support/sample_documents.ts";
import { sampleFiles } from "../../support/sample_files.ts";
import { nightly, slow } from "../../support/slow.ts";

const megabyte = 1024 * 1024;
const noLimit = { requests_per_minute: 100_000, requests_per_hour: 100_000, requests_per_day: 100_000 };

/**
 * The platform's soft limit of CPU time is not documented. Half of the local one retires workers on fast machines, too: with
 * 800 ms, one of them got through with a single worker.
 */
const often = { cpuSoft: 500 };

/** The largest documents at night, else a quarter of them, which takes several workers, too. */
const large = nightly.ignore ? { pages: 125, megabytes: 2.5 } : { pages: 500, megabytes: 10 };

/** Checks that no worker was killed or crashed, and that each retired worker finished its work. */
function assertOnlyRetired({ events, lines }: Platform): void {
  const story = JSON.stringify(events.filter(({ event }) => event !== "worker_started"), null, 1);
  assertEquals(events.filter(({ event }) => event === "worker_killed" || event === "worker_crashed"), [], story);
  const complaints = lines.filter(([, line]) => !line.startsWith('{"level":"info"'));
  assertEquals(complaints, []);
}

/** A model that is called only if a sweep removes responses of other tests. */
const modelOf = ({ baseUrl }: ModelServer) => ({ OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "load" });

const retiredOf = ({ events }: Platform, name: string) =>
  events.filter((each) => each.event === "worker_retired" && each.function === name).length;

Deno.test(
  "under the limits of the platform, 200 answers of 300 deltas are complete, 16 at the same time",
  slow,
  async () => {
    await using model = await startServer("tests/bench/model_server.ts");
    await using platform = startPlatform({ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "load" }, often);
    const tenant = await createTenant(noLimit, { model: "chunks=300&gap=2" });
    const context = { coachId: tenant.coachId, userId: "load" };
    const questions = Array.from({ length: 200 }, (_, index) => `Question ${index}`);

    const wholeAnswerTo = (question: string) => spokenChunks(question, 300).join("");
    await Array.fromAsync(pooledMap(16, questions, async (message: string) => {
      const response = await send(platform, "POST", "/chat", tenant, { message, context });
      assertEquals(response.status, 200);
      assertEquals(readEvents(await response.text()), wholeAnswerTo(message));
    }));
    assertOnlyRetired(platform);
    assert(retiredOf(platform, "chat") > 1, "CPU time has not been counted");

    const reply = await ask(platform, "GET", "/users/load/threads", tenant);
    assertEquals(reply.json.count, 200);
    const { data: messages } = await operator.from("messages").select(
      "role, content, status, threads!inner(account_id)",
    )
      .eq("threads.account_id", tenant.accountId).eq("role", "assistant").throwOnError();
    assertEquals(
      messages.map(({ status, content }) => `${status} ${content}`).toSorted(),
      questions.map((question) => `complete ${wholeAnswerTo(question)}`).toSorted(),
    );
  },
);

Deno.test("under the limits of the platform, ten uploads of 10 MB, five at a time, are stored completely", async () => {
  await using model = await startModelServer();
  await using platform = startPlatform(modelOf(model));
  const tenant = await createTenant(noLimit);
  const films = Array.from({ length: 10 }, (_, index) => {
    const film = new Uint8Array(10 * megabyte).fill(index);
    film.set(sampleFiles.mp4);
    return film;
  });
  // One of them takes 160 ms of CPU, and more beside other work: ten in one worker come close to its limit of two seconds.
  await Array.fromAsync(pooledMap(5, films.entries(), async ([index, film]) => {
    assertReply(await upload(platform, tenant, tenant.coachId, [[`${index}.mp4`, film]]), 200);
  }));
  const rows = await rowsOf(tenant.coachId);
  assertEquals(rows.map(({ size }) => size), Array(10).fill(10 * megabyte));
  assertEquals((await objectsOf(tenant.accountId)).length, 10);
  await eventually(
    async () => (await rowsOf(tenant.coachId)).every(({ due_at }) => due_at === null),
    "the films were found to have no words",
  );
  assertOnlyRetired(platform);
  await deleteRows(tenant.coachId);
});

Deno.test(
  "under the limits of the platform, large documents and many documents are indexed completely",
  slow,
  async (t) => {
    await clearQueue();
    await using model = await startModelServer();
    await using platform = startPlatform(modelOf(model), often);
    const encoder = new TextEncoder();
    const paragraph = sentences(40).join(" ");
    const pages = Array.from(
      { length: large.pages },
      (_, page) => packed(showLines([...sentences(15), `Page ${page + 1} has a heron.`, ...sentences(15)])),
    );
    const text = Array.from(
      { length: Math.ceil(large.megabytes * megabyte / (paragraph.length + 20)) },
      (_, index) => `Paragraph ${index}. ${paragraph}`,
    );
    const loads: Record<string, { files: NewFile[]; /** Words that the passages must hold. */ words: string[] }> = {
      [`a PDF of ${large.pages} pages`]: {
        files: [["book.pdf", new Uint8Array(makePdfOfStreams(pages))]],
        words: pages.map((_, page) => `Page ${page + 1} `),
      },
      [`${large.megabytes} MB of text`]: {
        files: [["long.txt", encoder.encode(text.join("\n\n"))]],
        words: text.map((_, index) => `Paragraph ${index}. `),
      },
      "30 files": {
        files: Array.from(
          { length: 30 },
          (_, index) => [`${index}.md`, encoder.encode(`# File\n\nHeron ${index} flies.`)],
        ),
        words: Array.from({ length: 30 }, (_, index) => `Heron ${index} flies.`),
      },
    };
    for (const [name, { files, words }] of Object.entries(loads)) {
      await t.step(name, async () => {
        const tenant = await createTenant(noLimit);
        // A worker reads ten uploads of an account at the same time.
        const store = async (file: NewFile) => assertReply(await upload(platform, tenant, tenant.coachId, [file]), 200);
        await Array.fromAsync(pooledMap(10, files, store));
        const isOver = async () => (await rowsOf(tenant.coachId)).every(({ due_at }) => due_at === null);
        await eventually(isOver, `${name} came to an end`, 300);
        const rows = await rowsOf(tenant.coachId);
        assertEquals(rows.map(({ status, error }) => [status, error]), files.map(() => ["ready", null]));
        const contents: string[] = [];
        for (const { id } of rows) contents.push(...await readPassages(id));
        const whole = contents.join("\n");
        assertEquals(words.filter((word) => !whole.includes(word)), []);
        assertOnlyRetired(platform);
        await deleteRows(tenant.coachId);
      });
    }
    assert(retiredOf(platform, "indexer") > 1, "CPU time has not been counted");
  },
);

/** The texts of a file's passages; checks that they are numbered without a gap. */
async function readPassages(fileId: string): Promise<string[]> {
  const contents: string[] = [];
  while (true) {
    const { data } = await operator.from("passages").select("position, content").eq("file_id", fileId)
      .order("position").range(contents.length, contents.length + 999).throwOnError();
    assertEquals(data.map(({ position }) => position), data.map((_, index) => contents.length + index));
    contents.push(...data.map(({ content }) => content));
    if (data.length < 1_000) return contents;
  }
}
