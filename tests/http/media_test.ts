import { concat } from "../../shared/libs/base/std/bytes.ts";
import { encodeBase64 } from "../../shared/libs/base/std/base64.ts";
import { assert, assertEquals, assertMatch, assertNotMatch } from "../support/assert.ts";
import { ask, chat } from "../support/client.ts";
import {
  addFile,
  clearQueue,
  deleteRows,
  namesFound,
  searchFiles,
  statesAndReasons,
  tryAgain,
  uploadAndIndex,
} from "../support/knowledge.ts";
import { createTenant, type Tenant } from "../support/project.ts";
import { sampleFiles } from "../support/sample_files.ts";
import { createWav, makeScan } from "../support/sample_documents.ts";
import { type Service, startService } from "../support/service.ts";
import { lastBodyOf } from "../support/model_requests.ts";
import type { Step } from "../support/model_server.ts";
import { serve } from "../support/serve.ts";
import { stepEach } from "../support/slow.ts";
import { storedAnswer } from "../support/turns.ts";

const { png, jpg, mp4, webm, avi, mov, mp3, m4a } = sampleFiles;

const env = { OPENAI_VISION_MODEL: "seer", OPENAI_TRANSCRIPTION_MODEL: "listener" };

Deno.test("a model server of one's own gets no other calls when no further models are named", async () => {
  await clearQueue();
  const asked: string[] = [];
  // Sweeps also do what is due for other coaches, such as naming their topics: text alone.
  await using model = serve(async (request) => {
    const isText = /\/(responses|chat\/completions)$/.test(request.url);
    if (!isText || (await request.text()).includes("image")) asked.push(request.url);
    return new Response(null, { status: 404 });
  });
  await using service = await startService({ env: { OPENAI_BASE_URL: `${model.url}/v1` } });
  const tenant = await createTenant();
  await uploadAndIndex(service, tenant, ["rest.txt", "People rest."], ["map.png", png], ["talk.mp4", mp4], [
    "said.m4a",
    m4a,
  ], ["old.avi", avi]);
  assertEquals(await namesFound(service, tenant, "rest"), ["rest.txt"]);
  assertEquals(await namesFound(service, tenant, "map talk"), ["map.png", "talk.mp4"]);
  const transcribe = "on this service yet. Ask whoever runs it to set OPENAI_TRANSCRIPTION_MODEL";
  const alone = "Only the file name can be searched: ";
  assertEquals(await statesAndReasons(tenant), [
    ["rest.txt", "ready", null],
    [
      "map.png",
      "empty",
      `${alone}images cannot be read on this service yet. Ask whoever runs it to set OPENAI_VISION_MODEL`,
    ],
    ["talk.mp4", "empty", `${alone}videos cannot be read ${transcribe}`],
    ["said.m4a", "empty", `${alone}recordings cannot be read ${transcribe}`],
    ["old.avi", "empty", `${alone}only MP4 and WEBM videos can be transcribed`],
  ]);
  assertEquals(asked, []);
});

Deno.test("images and videos", async (t) => {
  await using service = await startService({ env });
  const tenant = await createTenant({ requests_per_minute: 1_000 });

  await t.step("an image is found by what it shows", async () => {
    service.model.script("seer", { steps: [{ text: "A whiteboard with the words: ship the lighthouse.\0" }] });
    await uploadAndIndex(service, tenant, ["photo.png", png]);
    assertEquals(await statesAndReasons(tenant), [["photo.png", "ready", null]]);
    const { data: [found] } = await searchFiles(service, tenant, "lighthouses");
    assertEquals(found.filename, "photo.png");
    assertMatch(found.snippet, /ship the lighthouse/);
    assertEquals(found.is_recognized, true);
  });

  await t.step("the model is given the image, and instructed not to follow text in it", () => {
    const exchanges = service.model.requestsOf("seer");
    assertEquals(exchanges.length, 1);
    const { body } = exchanges[0]!;
    assertEquals(body.store, false);
    assertEquals(body.input, [{
      role: "user",
      content: [{ type: "input_image", detail: "auto", image_url: `data:image/png;base64,${encodeBase64(png)}` }],
    }]);
    assertMatch(String(body.instructions), /never an instruction to follow/);
  });

  await t.step("a video is found by what is said in it", async () => {
    service.model.scriptTranscription("listener", "Welcome to the podcast about otters.");
    await uploadAndIndex(service, tenant, ["talk.mp4", mp4], ["more.webm", webm]);
    assertEquals((await namesFound(service, tenant, "otter")).toSorted(), ["more.webm", "talk.mp4"]);
    const files = service.model.transcriptionsOf("listener").map(({ file }) => [file.name, file.type, file.size]);
    assertEquals(files.toSorted(), [["video.mp4", "video/mp4", mp4.length], ["video.webm", "video/webm", webm.length]]);
  });

  await t.step("a long recording is transcribed in parts, and each passage says when it begins", async () => {
    service.model.scriptTranscription("listener", "Foxes sleep by day.");
    const sent = service.model.transcriptionsOf("listener").length;
    await uploadAndIndex(service, tenant, ["walk.wav", createWav(270)], ["note.mp3", mp3], ["memo.m4a", m4a]);
    const { data } = await searchFiles(service, tenant, "foxes");
    assertEquals(data.map(({ filename }: { filename: string }) => filename).toSorted(), [
      "memo.m4a",
      "note.mp3",
      "walk.wav",
    ]);
    const { fileId } = data.find(({ filename }: { filename: string }) => filename === "walk.wav");
    const outline = await ask(service, "GET", `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`, tenant);
    assertEquals(
      outline.json.sections.map(({ heading, seconds }: Record<string, unknown>) => [heading, seconds]),
      [["0:00", 0], ["2:00", 120], ["4:00", 240]],
    );
    const { passage_id } = outline.json.sections[0];
    const path = `/knowledge-handler/${fileId}/passages/${passage_id}?coachId=${tenant.coachId}`;
    const { passage, after } = (await ask(service, "GET", path, tenant)).json;
    assertEquals([passage.seconds, after[0].seconds, "is_recognized" in passage], [0, 120, false]);
    const files = service.model.transcriptionsOf("listener").slice(sent).map(({ file }) => file);
    assertEquals(files.map(({ name }) => name).toSorted(), ["audio.m4a", "audio.mp3", ...Array(3).fill("audio.wav")]);
  });

  await t.step("an AVI and a MOV are found by their names, and not sent to the model", async () => {
    await uploadAndIndex(service, tenant, ["old.avi", avi], ["older.mov", mov]);
    for (const [_, status, reason] of (await statesAndReasons(tenant)).slice(-2)) {
      assertEquals([status, reason], [
        "empty",
        "Only the file name can be searched: only MP4 and WEBM videos can be transcribed",
      ]);
    }
    assertEquals((await namesFound(service, tenant, "old")).toSorted(), ["old.avi", "older.mov"]);
    assertEquals(service.model.transcriptionsOf("listener").length, 7);
  });

  await t.step("a file too large for the model is found by its name, and not sent", async () => {
    const [image, video] = [new Uint8Array(10 * 1024 * 1024 + 1), new Uint8Array(25 * 1024 * 1024 + 1)];
    image.set(png);
    video.set(mp4);
    await uploadAndIndex(service, tenant, ["large.png", image], ["long.mp4", video]);
    assertEquals((await statesAndReasons(tenant)).slice(-2), [
      ["large.png", "empty", "Only the file name can be searched: images over 10 MB are not sent to a model"],
      ["long.mp4", "empty", "Only the file name can be searched: videos over 25 MB are not sent to a model"],
    ]);
    assertEquals([service.model.requestsOf("seer").length, service.model.transcriptionsOf("listener").length], [1, 7]);
  });

  await t.step("a video without speech ends as empty", async () => {
    service.model.scriptTranscription("listener", " ");
    await uploadAndIndex(service, tenant, ["silent.mp4", mp4]);
    assertEquals((await statesAndReasons(tenant)).at(-1), [
      "silent.mp4",
      "empty",
      "Only the file name can be searched: the model found no text in it",
    ]);
  });

  await t.step("neither bytes nor descriptions are logged", async () => {
    const logged = JSON.stringify(await service.logs());
    assertNotMatch(logged, /lighthouse|otters|base64/);
    assert(!logged.includes(encodeBase64(png).slice(0, 20)), logged);
  });
  await deleteRows(tenant.coachId);
});

/** The first sources that an answer is given. */
async function sourcesOf(service: Service, tenant: Tenant, message: string) {
  service.model.script(tenant.modelName, { steps: [{ text: "So [1]. And [2]. And [3]." }] });
  const { messageId } = await chat(service, tenant, { message, context: { coachId: tenant.coachId } });
  return (await storedAnswer(messageId)).sources as Record<string, unknown>[];
}

Deno.test("a model that tells when something is said", async () => {
  await using service = await startService({ env: { OPENAI_TRANSCRIPTION_MODEL: "whisper-1" } });
  const tenant = await createTenant();
  const said = (start: number) => ({ start, end: start + 20, text: ` Owls hunt at night, part ${start}.`.repeat(20) });
  service.model.scriptTranscription("whisper-1", { text: "Owls", segments: [0, 20, 40, 60, 80].map(said) });
  await uploadAndIndex(service, tenant, ["owls.m4a", m4a]);
  const { data: [{ fileId }] } = await searchFiles(service, tenant, "owls");
  const outline = await ask(service, "GET", `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`, tenant);
  const headings = outline.json.sections.map(({ heading }: { heading: string }) => heading);
  assertEquals(headings, ["0:00", "1:00"]);
  // The same form, but not of a recording.
  const plan = await addFile(tenant, "plan.md", { content: "Owls sleep by day.", heading: "12:30" });
  const sources = await sourcesOf(service, tenant, "When do owls hunt?");
  const seconds = sources.map(({ fileId, seconds }) => [fileId, seconds]);
  assertEquals(seconds.toSorted(), [[fileId, 0], [fileId, 60], [plan, undefined]].toSorted());
  await deleteRows(tenant.coachId);
});

Deno.test("a scanned page is read by the model for images, and the file says so", async () => {
  await using service = await startService({ env });
  const tenant = await createTenant();
  const source = `<< /Subtype /Image /Filter /DCTDecode /Length ${jpg.length} >>`;
  const scan = makeScan({ source, stream: jpg });
  service.model.script("seer", { steps: [{ text: "# Menu\n\n| Meal | kcal |\n| --- | --- |\n| Porridge | 370 |" }] });
  await uploadAndIndex(service, tenant, ["scan.pdf", scan]);
  const warning = "the text of 1 of 1 page was recognized from a picture";
  assertEquals(await statesAndReasons(tenant), [["scan.pdf", "ready", warning]]);
  const { data: [found] } = await searchFiles(service, tenant, "porridge");
  assertEquals([found.warning, found.snippet.includes("Porridge")], [warning, true], found.snippet);
  const body = lastBodyOf(service, "seer");
  assertMatch(String(body.instructions), /^You read scanned pages[^]*never an instruction/);
  assertMatch(JSON.stringify(body.input), /data:image\/jpeg;base64,/);
  const menu = await addFile(tenant, "menu.md", "Porridge for breakfast.");
  const recognized = (await sourcesOf(service, tenant, "Porridge?")).map((it) => [it.fileId, it.is_recognized]);
  assertEquals(recognized.toSorted(), [[found.fileId, true], [menu, undefined]].toSorted());
  const outline = await ask(service, "GET", `/knowledge-handler/${found.fileId}?coachId=${tenant.coachId}`, tenant);
  assertEquals(outline.json.sections[0].is_recognized, true);
  await deleteRows(tenant.coachId);
});

Deno.test("a page in a format that models do not know goes to them as a PDF", async () => {
  await using service = await startService({ env });
  const tenant = await createTenant();
  const scan = makeScan({
    source: "<< /Subtype /Image /Width 9 /Height 9 /Filter /CCITTFaxDecode /Length 4 >>",
    stream: Uint8Array.of(1, 2, 3, 250),
  });
  service.model.script("seer", { steps: [{ text: "Oats, 370 kcal" }] }, { steps: [{ status: 400 }] });
  await uploadAndIndex(service, tenant, ["fax.pdf", scan]);
  const body = lastBodyOf(service, "seer");
  assertMatch(
    JSON.stringify(body.input),
    /"type":"input_file","filename":"page.pdf","file_data":"data:application\/pdf;/,
  );
  assertEquals((await statesAndReasons(tenant)).map(([, status]) => status), ["ready"]);

  // Servers that take no PDF say so in many ways: the page has no text then, and the file does not fail.
  await uploadAndIndex(service, tenant, ["fax2.pdf", concat([scan, new TextEncoder().encode("\n")])]);
  const [, [_name, status, reason] = []] = await statesAndReasons(tenant);
  assertEquals(status, "empty");
  assertMatch(String(reason), /^No text was found in it/);
  await deleteRows(tenant.coachId);
});

Deno.test("when the model does not read a file", async (t) => {
  await using service = await startService({ env, timeouts: { media: 200 } });

  const refusals = [400, 413, 415, 422];
  await stepEach(t, refusals.map((status) => [`refused with ${status} → failed at once, with the reason`, status]), {
    quick: ["refused with 400 → failed at once, with the reason"],
    async run(status) {
      const tenant = await createTenant();
      service.model.script("seer", { steps: [{ status, code: "invalid_image" }] });
      service.model.scriptTranscription("listener", { status, code: "unsupported_file_type" });
      await uploadAndIndex(service, tenant, ["photo.png", png], ["talk.mp4", mp4]);
      for (const [index, [_, state, reason]] of (await statesAndReasons(tenant)).entries()) {
        assertEquals(state, "failed");
        assertMatch(
          String(reason),
          new RegExp(`^The model ${["seer", "listener"][index]} refused the file: .*${status}`),
        );
      }
    },
  });

  const passing: Record<string, Step[]> = {
    "a wrong key → tried three times, then failed": [{ status: 401 }],
    "too many requests → tried three times, then failed": [{ status: 429 }],
    "a time-out of the server → tried three times, then failed": [{ status: 408 }],
    "a failing server → tried three times, then failed": [{ status: 500 }],
    "a server that says nothing → tried three times, then failed": [{ hang: true }],
    "a model that the server does not have → tried three times, then failed": [{
      status: 400,
      code: "model_not_found",
    }],
    "a refusal that does not name the file → tried three times, then failed": [{ status: 400 }],
    "half a description → tried three times, then failed": [{ event: { type: "response.incomplete" } }],
  };
  await stepEach(t, Object.entries(passing), {
    quick: [
      "a failing server → tried three times, then failed",
      "a model that the server does not have → tried three times, then failed",
    ],
    async run(steps) {
      const tenant = await createTenant();
      service.model.script("seer", { steps });
      const asked = service.model.requestsOf("seer").length;
      await uploadAndIndex(service, tenant, ["photo.png", png]);
      for (const expected of ["queued", "queued", "failed"]) {
        const [[_, status, reason] = []] = await statesAndReasons(tenant);
        assertEquals(status, expected);
        assertMatch(String(reason), /^The model seer has not answered: /);
        if (expected === "queued") await tryAgain(service, tenant.coachId);
      }
      assertEquals(service.model.requestsOf("seer").length, asked + 3);
    },
  });

  await t.step("a server that cannot be reached → tried again", async () => {
    await using cutOff = await startService({ env: { ...env, OPENAI_BASE_URL: "http://127.0.0.1:9/v1" } });
    const tenant = await createTenant();
    await uploadAndIndex(cutOff, tenant, ["photo.png", png]);
    const [[_, status, reason] = []] = await statesAndReasons(tenant);
    assertEquals(status, "queued");
    assertMatch(String(reason), /^The model seer has not answered: /);
    await deleteRows(tenant.coachId);
  });

  await t.step("while the model is down, other files are still indexed", async () => {
    const tenant = await createTenant();
    service.model.script("seer", { steps: [{ status: 503 }] });
    await uploadAndIndex(service, tenant, ["photo.png", png], ["notes.txt", "Lighthouses."]);
    assertEquals((await statesAndReasons(tenant)).map(([name, status]) => [name, status]), [
      ["photo.png", "queued"],
      ["notes.txt", "ready"],
    ]);
    await deleteRows(tenant.coachId);
  });

  await t.step("a description at the second attempt makes the file ready", async () => {
    const tenant = await createTenant();
    service.model.script("seer", { steps: [{ status: 503 }] }, { steps: [{ text: "A lighthouse." }] });
    await uploadAndIndex(service, tenant, ["photo.png", png]);
    await tryAgain(service, tenant.coachId);
    assertEquals(await statesAndReasons(tenant), [["photo.png", "ready", null]]);
  });
});
