import { findCitations } from "../../../shared/core/answers/citation_filter.ts";
import { citeUrls } from "../../../shared/api/openai/citations.ts";
import type { Source } from "../../../shared/core/answers/stored_answer.ts";
import { assert, assertEquals } from "../../support/assert.ts";
import { addFile, rowsOf, updateRow } from "../../support/knowledge.ts";
import { openaiOf } from "../../support/openai_clients.ts";
import { createTenant, issueKey, type Tenant } from "../../support/project.ts";
import { startService } from "../../support/service.ts";
import { createHash } from "node:crypto";

const pageUrl = "https://example.org/ask.html";
const web = "https://example.org/owls?a=1&b=2";
const owls = "Owls sleep in old barns during the day.";
const bats = "Bats sleep in caves and barns in winter.";
const question = "Do owls sleep in old barns during the day?";
const said = "Owls in barns [1]. Bats in caves [2], or barns [1][2].";

/** A coach that has read a web page about owls and a file about bats. */
async function prepare(options: string[] = []): Promise<Tenant & { fileId: string }> {
  const tenant = await createTenant({ requests_per_minute: 1_000, options });
  const page = await addFile(tenant, "Owls.md", { content: owls, heading: "Barns" });
  await updateRow(page, { source_url: web });
  const fileId = await addFile(tenant, "Bats.pdf", { content: bats, page: 3 });
  return { ...tenant, fileId };
}

/** A citation without its place in the text. */
type Citation = { title: string; url: string; start_index: number; end_index: number };

/** The part of a text that each citation names, with its address. */
function cited(text: string, citations: Citation[]) {
  return citations.map(({ start_index, end_index, title, url }) => [text.slice(start_index, end_index), title, url]);
}

Deno.test("the addresses of sources, for OpenAI's official client", async (t) => {
  await using service = await startService({ env: { PAGE_URL: pageUrl } });
  const tenant = await prepare();
  const reader = `${pageUrl}#source=${tenant.coachId}/${tenant.fileId}/${idOf(bats)}`;
  const expected = [
    ["[1]", "Owls.md, Barns", web],
    ["[2]", "Bats.pdf, p. 3", reader],
    ["[1]", "Owls.md, Barns", web],
    ["[2]", "Bats.pdf, p. 3", reader],
  ];
  const client = openaiOf(service, tenant);
  const asked = { model: tenant.coachId, messages: [{ role: "user" as const, content: question }] };
  const answer = (text: string) => service.model.script(tenant.modelName, { steps: [{ text }] });
  answer(said);

  await t.step("a completion has them in its message", async () => {
    const { message } = (await client.chat.completions.create(asked)).choices[0]!;
    assertEquals(message.content, said);
    assertEquals(message.annotations!.map(({ type }) => type), expected.map(() => "url_citation"));
    assertEquals(cited(said, message.annotations!.map(({ url_citation }) => url_citation)), expected);
  });

  await t.step("a stream of chunks has them in the last delta", async () => {
    const deltas = [];
    for await (const { choices: [choice] } of await client.chat.completions.create({ ...asked, stream: true })) {
      deltas.push(choice!);
    }
    const [last, ...others] = deltas.toReversed();
    assertEquals(last!.finish_reason, "stop");
    const { annotations } = last!.delta as { annotations: { url_citation: Citation }[] };
    assertEquals(cited(said, annotations.map(({ url_citation }) => url_citation)), expected);
    assert(others.every(({ delta }) => !("annotations" in delta)));
    // The client's own helper puts the chunks together.
    const whole = await client.chat.completions.stream(asked).finalMessage();
    assertEquals(whole.content, said);
  });

  await t.step("a response has them in its text, and so has the stored one", async () => {
    const response = await client.responses.create({ model: tenant.coachId, input: question });
    const partOf = ({ output }: typeof response) => {
      const [item] = output;
      const [part] = item!.type === "message" ? item!.content : [];
      assert(part?.type === "output_text");
      return part;
    };
    const { text, annotations } = partOf(response);
    assertEquals([text, cited(text, annotations as Citation[])], [said, expected]);
    assertEquals(partOf(await client.responses.retrieve(response.id)).annotations, annotations);
  });

  await t.step("a stream of events adds them one by one, before the text is done", async () => {
    const events = [];
    const stream = await client.responses.create({ model: tenant.coachId, input: question, stream: true });
    for await (const event of stream) events.push(event);
    const added = events.filter(({ type }) => type === "response.output_text.annotation.added") as unknown as {
      annotation: Citation;
      annotation_index: number;
      content_index: number;
      output_index: number;
      item_id: string;
    }[];
    assertEquals(cited(said, added.map(({ annotation }) => annotation)), expected);
    assertEquals(added.map((event) => [event.annotation_index, event.output_index, event.content_index]), [
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
      [3, 0, 0],
    ]);
    assertEquals(events.map(({ sequence_number }) => sequence_number), events.map((_, place) => place));
    const types = events.map(({ type }) => type);
    assert(types.indexOf("response.output_text.done") > types.lastIndexOf("response.output_text.annotation.added"));
    const completed = events.at(-1)!;
    assert(completed.type === "response.completed");
    const [item] = completed.response.output;
    assert(item!.type === "message" && item!.content[0]!.type === "output_text");
    assertEquals(item!.content[0]!.annotations as unknown[], added.map(({ annotation }) => annotation));
    const final = await client.responses.stream({ model: tenant.coachId, input: question }).finalResponse();
    assertEquals(final.output_text, said);
  });

  await t.step("footnotes are not cited again", async () => {
    const withFootnotes = await prepare(["footnotes"]);
    service.model.script(withFootnotes.modelName, { steps: [{ text: said }] });
    const { choices: [choice] } = await openaiOf(service, withFootnotes).chat.completions.create({
      ...asked,
      model: withFootnotes.coachId,
    });
    assert(choice!.message.content!.includes("\n\n[1] Owls.md, Barns\n[2] Bats.pdf, p. 3"));
    assertEquals(choice!.message.annotations!.length, 4);
  });

  await t.step("a response that is retrieved has the footnotes that it had, for a key without them none", async () => {
    const withFootnotes = await prepare(["footnotes"]);
    service.model.script(withFootnotes.modelName, { steps: [{ text: said }] });
    const openai = openaiOf(service, withFootnotes);
    const { id, output, output_text } = await openai.responses.create({
      model: withFootnotes.coachId,
      input: question,
    });
    assert(output_text.endsWith("\n\n[1] Owls.md, Barns\n[2] Bats.pdf, p. 3"));
    for (const again of [await openai.responses.retrieve(id), await openai.responses.cancel(id)]) {
      assertEquals(again.output, output);
    }
    const plain = openaiOf(service, await issueKey(withFootnotes.accountId));
    assertEquals((await plain.responses.retrieve(id)).output_text, said);
  });

  await t.step("an answer without sources has none", async () => {
    answer("Well.");
    const { message } = (await client.chat.completions.create({
      ...asked,
      messages: [{ role: "user", content: "Quantum chromodynamics?" }],
    })).choices[0]!;
    assertEquals([message.content, message.annotations], ["Well.", []]);
  });
});

Deno.test("without a page, only pages of the web have an address", async () => {
  await using service = await startService();
  const tenant = await prepare();
  service.model.script(tenant.modelName, { steps: [{ text: said }] });
  const { message } = (await openaiOf(service, tenant).chat.completions.create({
    model: tenant.coachId,
    messages: [{ role: "user", content: question }],
  })).choices[0]!;
  const found = cited(said, message.annotations!.map(({ url_citation }) => url_citation));
  assertEquals(found, [["[1]", "Owls.md, Barns", web], ["[1]", "Owls.md, Barns", web]]);
  assertEquals((await rowsOf(tenant.coachId)).length, 2);
});

Deno.test("citeUrls", async (t) => {
  const source = (fields: object): Source => ({
    kind: "passage",
    passageId: "a/b",
    fileId: "f",
    file_id: "f",
    filename: "a.md",
    source_url: null,
    position: 0,
    page: null,
    heading: null,
    quote: "",
    score: 1,
    ...fields,
  });
  const reader = { coachId: "a coach/1#?", pageUrl };

  await t.step("each part of a place in the reader is encoded", () => {
    const [{ url } = { url: "" }] = citeUrls("So [1].", [source({ number: 1 })], reader);
    assertEquals(url, `${pageUrl}#source=a%20coach%2F1%23%3F/f/a%2Fb`);
  });
  await t.step("a source that the text does not name is cited at its end", () => {
    const [{ start_index, end_index } = { start_index: 0, end_index: 0 }] = citeUrls("So.", [source({})], reader);
    assertEquals([start_index, end_index], [3, 3]);
  });
  await t.step("pinned answers have no address", () => {
    const pinned = { pinnedAnswerId: "p", version: 1, question: "?", quote: "!", isWordForWord: false };
    assertEquals(citeUrls("So [1].", [{ kind: "pinned_answer", number: 1, ...pinned }], reader), []);
    assertEquals([citeUrls("So [1].", null, reader), citeUrls("So [1].", [], reader)], [[], []]);
  });
  await t.step("code and links are no citations", () => {
    const text = "A [1], `b[1]`, [1](https://example.org), 😀 [2].\n\n```\nc [1]\n```\n";
    assertEquals(findCitations(text).map(({ number, start, end }) => [number, text.slice(start, end)]), [
      [1, "[1]"],
      [2, "[2]"],
    ]);
  });
});

function idOf(text: string): string {
  return createHash("md5").update(text).digest("hex");
}
