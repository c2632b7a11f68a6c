import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertRefused, assertReply } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import {
  finishIndexing,
  objectsOf,
  rowsOf,
  searchFiles,
  unindexPassages,
  uploadAndIndex,
} from "../support/knowledge.ts";
import { createTenant, operator, publishableKey, secretKey } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { nightly, slow, slowStep } from "../support/slow.ts";
import { forgetEarlierSources, letTimePass, makeDue, pagesOf, sourcesOf } from "../support/sources.ts";
import { startHostileSite } from "../support/hostile_site.ts";
import { makePage, startTestSite, type TestSite } from "../support/test_site.ts";

const allowing = { ALLOW_PRIVATE_SOURCES: "1" };

async function prepare(
  { topics = 3, env = allowing, isFetcherAwake = true }: {
    topics?: number;
    env?: Record<string, string>;
    isFetcherAwake?: boolean;
  } = {},
) {
  await using stack = new AsyncDisposableStack();
  await forgetEarlierSources();
  const service = stack.use(await startService({ env, isFetcherAwake }));
  const site = stack.use(await startTestSite({ topics }));
  const tenant = await createTenant({ requests_per_minute: 10_000, requests_per_hour: 100_000 });
  const sources = sourcesOf(service, tenant);
  // No source is left to the next test.
  stack.defer(async () => {
    await operator.from("knowledge_sources").delete().eq("coach_id", tenant.coachId).throwOnError();
  });
  return handOver(stack, { service, site, tenant, sources });
}

/** The paths that were asked for since the last call, robots.txt and sitemaps left out, sorted. */
function readRequests(site: TestSite): string[] {
  const asked = site.requests.splice(0).map(({ path }) => path);
  return asked.filter((path) => !/^\/(robots\.txt|sitemap)/.test(path)).toSorted();
}

function remove(site: TestSite, path: string) {
  site.pages.set(path, { body: "", status: 404, isListed: false });
}

Deno.test("POST /fetcher is for the project itself", async () => {
  await using service = await startService();
  for (const apikey of [undefined, publishableKey, "sb_secret_wrong", secretKey.slice(0, -1)]) {
    const headers = apikey === undefined ? undefined : { apikey };
    assertRefused(await ask(service, "POST", "/fetcher", {}, undefined, { headers }), "invalid_secret_key");
  }
  assertReply(await ask(service, "POST", "/fetcher", {}, undefined, { headers: { apikey: secretKey } }), 202, {
    message: "Fetching has started",
  });
});

Deno.test("a site of many pages", async (t) => {
  const topics = slow.ignore ? 12 : nightly.ignore ? 50 : 150;
  const [word, filename] = [`T${topics}-amber`, `Topic ${topics}.md`];
  // One page for each kind of change.
  const [similar, changed, removed, moved] = [0.2, 0.4, 0.6, 0.8].map((part) => Math.floor(part * topics)) as [
    number,
    number,
    number,
    number,
  ];
  await using prepared = await prepare({ topics });
  const { service, site, tenant, sources } = prepared;
  const source = await sources.add({ url: `${site.url}/`, kind: "site", refresh: "daily" });
  const idOf = async (path: string) =>
    (await rowsOf(tenant.coachId)).find(({ source_url }) => source_url === site.url + path)?.id;
  const first = async (text: string) => (await sources.find(text))[0];

  await t.step("each page of the sitemap is a file, and is read once", async () => {
    const listed = [...site.pages].filter(([, { isListed = true }]) => isListed).map(([path]) => path).toSorted();
    assertEquals([source.status, source.reason, source.failures], ["ready", null, []]);
    assertEquals(await sources.paths(), listed);
    assertEquals(source.pages, listed.length);
    assertEquals(readRequests(site), listed);
    assertEquals(await first(word), filename);
    assertEquals(await first("fuse of model K2"), "handbook.pdf");
  });

  await t.step("what robots.txt forbids is not asked for, and menus are not in the text", async () => {
    assertEquals(await sources.find("plumcake"), []);
    const { data: [file] } = await searchFiles(service, tenant, word);
    assertEquals([file.contentType, file.category, file.source_id], ["text/markdown", "documents", source.id]);
    assert(Date.parse(file.fetched_at) <= Date.now());
    assertEquals(await sources.find("cookies banner"), []);
  });

  await t.step("the next refresh is a day later", () => {
    assertEquals(Date.parse(source.next_refresh_at!) - Date.parse(source.fetched_at!), 24 * 60 * 60 * 1_000);
  });

  await t.step("unchanged pages are asked for changes only, and cost no upload and no indexing", async () => {
    const [marks, before] = [await sources.marks(), await rowsOf(tenant.coachId)];
    service.supabase.requests.length = 0;
    const again = await sources.refresh(source.id);
    assertEquals(again.status, "ready");
    const pages = source.pages;
    assertEquals(await sources.marks(), marks);
    const unchanged = site.requests.filter(({ status, isConditional }) => isConditional && status === 304);
    assertEquals(unchanged.length, pages);
    assertEquals(service.supabase.requests.filter((path) => path.includes("/storage/")), []);
    assertEquals(service.supabase.requests.filter((path) => path.includes("save_indexing")), []);
    const after = await rowsOf(tenant.coachId);
    assert(after.every(({ fetched_at }, index) => fetched_at! > before[index]!.fetched_at!));
  });

  await t.step("pages that are sent again with the same text cost nothing either", async () => {
    const marks = await sources.marks();
    // Outside of the content: another tag, the same text.
    const { body } = site.pages.get(`/docs/topic-${similar}`)!;
    site.pages.set(`/docs/topic-${similar}`, {
      body: String(body).replace("All rights reserved", "Some rights reserved"),
    });
    await sources.refresh(source.id);
    assertEquals(site.requests.filter(({ path }) => path === `/docs/topic-${similar}`).at(-1)!.status, 200);
    assertEquals(await sources.marks(), marks);
  });

  await t.step("a changed page, a removed one and a new one are seen in the next search", async () => {
    const [id, marks] = [await idOf(`/docs/topic-${changed}`), await sources.marks()];
    const text = `Model ${changed} is now made of cobaltine, a new alloy.`;
    site.write(`/docs/topic-${changed}`, { title: `Topic ${changed}`, text });
    remove(site, `/docs/topic-${removed}`);
    site.write("/docs/topic-new", { title: "A new topic", text: "This page tells of the zirconette, a new lamp." });
    const again = await sources.refresh(source.id);
    assertEquals(again.pages, source.pages);
    assertEquals(await sources.find("cobaltine"), [`Topic ${changed}.md`]);
    assertEquals(await sources.find("zirconette"), ["A new topic.md"]);
    assert(!(await sources.find(`T${changed}-amber`)).includes(`Topic ${changed}.md`));
    assert(!(await sources.find(`T${removed}-amber`)).includes(`Topic ${removed}.md`));
    assertEquals(await idOf(`/docs/topic-${changed}`), id);
    assertEquals(await idOf(`/docs/topic-${removed}`), undefined);
    const differing = Object.entries(await sources.marks()).filter(([id, mark]) => marks[id] !== mark);
    assertEquals(differing.length, 2);
  });

  await t.step("a moved page takes its file along, and is not indexed", async () => {
    const [id, marks] = [await idOf(`/docs/topic-${moved}`), await sources.marks()];
    site.move(`/docs/topic-${moved}`, "/docs/topic-forty");
    await sources.refresh(source.id);
    assertEquals([await idOf(`/docs/topic-${moved}`), await idOf("/docs/topic-forty")], [undefined, id]);
    assertEquals(await sources.marks(), marks);
    assertEquals(await first(`T${moved}-amber`), `Topic ${moved}.md`);
  });

  await t.step("deleting the source deletes all of it", async () => {
    await sources.delete(source.id);
    await unindexPassages();
    await service.turns();
    assertEquals(await sources.find(word), []);
    assertEquals(await objectsOf(tenant.accountId), []);
  });
});

Deno.test("a sitemap deletes only what it surely lacks", async (t) => {
  await using prepared = await prepare({ topics: 4 });
  const { site, sources } = prepared;
  const { id } = await sources.add({ url: `${site.url}/docs/`, kind: "site" });
  const all = await sources.paths();
  assertEquals(all.length, 6);

  await t.step("one that fails deletes nothing, ever, and says so", async () => {
    site.pages.set("/sitemap.xml", { body: "", status: 500 });
    for (let day = 0; day < 3; day++) {
      const source = await sources.refresh(id);
      assertEquals(source.status, "ready");
      assertMatch(source.reason ?? "", /^The sitemap could not be read: The page answered with status 500/);
      assertEquals(await sources.paths(), all);
      await letTimePass(id);
    }
    // Gone is no better.
    site.pages.set("/sitemap.xml", { body: "", status: 404 });
    await sources.refresh(id);
    assertEquals(await sources.paths(), all);
    site.pages.delete("/sitemap.xml");
  });

  await t.step("nor is one whose parts fail complete", async () => {
    site.pages.set("/sitemap-2.xml.gz", { body: "", status: 404 });
    await sources.refresh(id);
    assertEquals(await sources.paths(), all);
    site.pages.delete("/sitemap-2.xml.gz");
    await sources.refresh(id);
    assertEquals((await pagesOf(id)).size, 6);
  });

  await t.step("one that lacks more than half deletes nothing until it is so again a day later", async () => {
    for (const path of ["/docs/topic-1", "/docs/topic-2", "/docs/topic-3", "/docs/topic-4"]) {
      site.pages.get(path)!.isListed = false;
    }
    for (let time = 0; time < 2; time++) {
      await sources.refresh(id);
      assertEquals(await sources.paths(), all);
    }
    await letTimePass(id);
    await sources.refresh(id);
    assertEquals(await sources.paths(), ["/docs/", "/docs/handbook.pdf"]);
  });

  await t.step("a look in between at a whole sitemap begins the day anew", async () => {
    for (const [path, page] of site.pages) if (path.startsWith("/docs/topic-")) page.isListed = true;
    await sources.refresh(id);
    assertEquals(await sources.paths(), all);
    const hide = (isListed: boolean) => {
      for (const [path, page] of site.pages) if (path.startsWith("/docs/topic-")) page.isListed = isListed;
    };
    hide(false);
    await sources.refresh(id);
    await letTimePass(id);
    hide(true);
    await sources.refresh(id);
    hide(false);
    await sources.refresh(id);
    assertEquals(await sources.paths(), all);
  });
});

Deno.test("a page that is gone, or fails", async (t) => {
  await using prepared = await prepare();
  const { site, sources } = prepared;
  const path = "/docs/topic-1";
  const before = site.pages.get(path)!;
  const { id } = await sources.add({ url: site.url + path, kind: "page" });
  assertEquals(await sources.find("T1-amber"), ["Topic 1.md"]);

  await t.step("robots.txt is not asked for a page that the expert has named", () => {
    assertEquals(site.requests.map(({ path }) => path), [path]);
  });

  await t.step("one that fails stays, and says why, after three tries", async () => {
    site.requests.length = 0;
    site.pages.set(path, { body: "", status: 503 });
    const source = await sources.refresh(id);
    const reason = "The page answered with status 503";
    assertEquals([source.status, source.reason, source.pages], ["failed", reason, 1]);
    assertEquals(source.failures, [{ url: site.url + path, reason }]);
    assertEquals(await sources.find("T1-amber"), ["Topic 1.md"]);
    assertEquals(site.requests.length, 3);
    const { data } = await operator.from("knowledge_health").select("filename, problem, reason")
      .eq("coach_id", prepared.tenant.coachId).order("problem").throwOnError();
    assertEquals(data, [
      { filename: site.url + path, problem: "page failed", reason },
      { filename: site.url + path, problem: "source failed", reason },
    ]);
  });

  await t.step("a server that asks to wait is not asked before", async () => {
    site.pages.set(path, { body: "", status: 429, headers: { "Retry-After": "7200" } });
    assertReply(await sources.call("POST", `/${id}/refresh`), 200);
    await prepared.service.turns();
    const { data: [row] } = await operator.from("knowledge_sources").select("status, due_at").eq("id", id)
      .throwOnError();
    const minutes = (Date.parse(row!.due_at!) - Date.now()) / 60_000;
    assert(row!.status === "reading" && minutes > 55 && minutes <= 61, JSON.stringify(row));
  });

  for (const status of [404, 410]) {
    await t.step(`${status} twice on a day deletes nothing; again a day later, it does`, async () => {
      site.pages.set(path, before);
      assertEquals((await sources.refresh(id)).status, "ready");
      site.pages.set(path, { body: "", status });
      for (let time = 0; time < 2; time++) {
        const source = await sources.refresh(id);
        assertEquals([source.reason, source.pages], [`The page answered with status ${status}`, 1]);
      }
      // It was there in between.
      site.pages.set(path, before);
      await letTimePass(id);
      await sources.refresh(id);
      site.pages.set(path, { body: "", status });
      await sources.refresh(id);
      assertEquals(await sources.find("T1-amber"), ["Topic 1.md"]);
      await letTimePass(id);
      const source = await sources.refresh(id);
      assertEquals([source.status, source.pages], ["failed", 0]);
      assertEquals(await sources.find("T1-amber"), []);
    });
  }

  await t.step("a page without text keeps its last text", async () => {
    site.pages.set(path, before);
    await sources.refresh(id);
    site.pages.set(path, { body: "<html><body></body></html>" });
    const source = await sources.refresh(id);
    assertEquals([source.status, source.pages], ["failed", 1]);
    assertEquals(await sources.find("T1-amber"), ["Topic 1.md"]);
  });
});

Deno.test("a page that has changed answers with its old text until the new one is read", async (t) => {
  await using prepared = await prepare({ topics: 2 });
  const { site, tenant, sources } = prepared;
  // So long that it is stored in several batches.
  const write = (word: string) => {
    const lines = Array.from({ length: 70 }, (_, i) => `Line ${i} of the page. ${"More words. ".repeat(120)}`);
    site.write("/docs/topic-1", {
      title: "Topic 1",
      text: [`The ${word} lamp.`, ...lines, `The ${word} end.`].join("\n\n"),
    });
  };
  write("amaranth");
  const { id } = await sources.add({ url: `${site.url}/docs/`, kind: "site" });
  await using quiet = await startService({ env: allowing, isFetcherAwake: true, isIndexerAsleep: true });
  const asleep = sourcesOf(quiet, tenant);
  /** Reads the pages, but indexes none of them. */
  const fetchAll = async () => {
    assertReply(await asleep.call("POST", `/${id}/refresh`), 200);
    return await asleep.finishFetching(id);
  };
  const fileOf = async (path: string) => {
    const { json } = await ask(quiet, "GET", `/knowledge-handler?coachId=${tenant.coachId}&limit=50`, tenant);
    return json.data.find(({ source_url }: { source_url: string }) => source_url === site.url + path);
  };
  const before = await fileOf("/docs/topic-1");
  assertEquals([before.version, before.status, before.pending], [1, "ready", null]);

  await t.step("after it was fetched, and in the middle of indexing", async () => {
    write("burgundy");
    await fetchAll();
    const waiting = await fileOf("/docs/topic-1");
    assertEquals({ ...waiting, pending: null }, before);
    assertEquals(waiting.pending, "queued");
    await using worker = await startService();
    const seen: string[][] = [];
    worker.supabase.fault = async (path) => {
      if (path.includes("save_indexing")) {
        seen.push(await sources.find("amaranth"), await sources.find("burgundy"));
        const { data } = await operator.rpc("search_passages", { coach_id: tenant.coachId, query: "amaranth end" })
          .throwOnError();
        seen.push(data.slice(0, 1).map(({ content }) => /amaranth end/.exec(content)?.[0] ?? ""));
      }
      return "pass" as const;
    };
    await finishIndexing(worker, tenant.coachId);
    assert(seen.length >= 6, JSON.stringify(seen));
    assertEquals(seen, seen.map((_, i) => [["Topic 1.md"], [], ["amaranth end"]][i % 3]!));
    assertEquals([await sources.find("amaranth"), await sources.find("burgundy")], [[], ["Topic 1.md"]]);
    const after = await fileOf("/docs/topic-1");
    assertEquals([after.fileId, after.version, after.pending], [before.fileId, 2, null]);
    assertEquals(after.uploadedAt, before.uploadedAt);
    assert(after.fetched_at > before.fetched_at);
  });

  await t.step("one that changes back while it waits is as it was", async () => {
    write("crimson");
    await fetchAll();
    assertEquals((await fileOf("/docs/topic-1")).pending, "queued");
    await fetchAll();
    assertEquals((await fileOf("/docs/topic-1")).pending, "queued");
    write("burgundy");
    const { failures } = await fetchAll();
    const { version, pending } = await fileOf("/docs/topic-1");
    assertEquals([failures, version, pending], [[], 2, null]);
  });

  await t.step("one that cannot be read any more says why, and keeps its old text", async () => {
    const { body } = site.pages.get("/docs/handbook.pdf")!;
    const pdf = { type: "application/pdf" };
    site.pages.set("/docs/handbook.pdf", { ...pdf, body: "%PDF-1.4 broken" });
    await sources.refresh(id);
    const broken = await fileOf("/docs/handbook.pdf");
    assertEquals([broken.version, broken.status, broken.pending], [1, "ready", "failed"]);
    assertMatch(broken.error, /./);
    assertEquals((await sources.find("fuse of model K2"))[0], "handbook.pdf");
    site.pages.set("/docs/handbook.pdf", { ...pdf, body });
    await sources.refresh(id);
    const { pending, error } = await fileOf("/docs/handbook.pdf");
    assertEquals([pending, error], [null, null]);
  });

  await t.step("a title that has changed is a new name, also with the same text", async () => {
    site.write("/docs/named", { title: "First name", text: "Words about indigo dye, and nothing else but that." });
    await sources.refresh(id);
    const { body } = site.pages.get("/docs/named")!;
    site.pages.set("/docs/named", { body: String(body).replaceAll("<title>First", "<title>Second") });
    const file = await fileOf("/docs/named");
    await sources.refresh(id);
    assertEquals([await sources.find("indigo"), (await fileOf("/docs/named")).fileId], [
      ["Second name.md"],
      file.fileId,
    ]);
  });

  await t.step("a text that moves to another page, while its page gets a new one, is found all the time", async () => {
    const { body } = site.pages.get("/docs/named")!;
    const file = await fileOf("/docs/named");
    site.write("/docs/named", { title: "Second name", text: "Words about saffron dye, and nothing else but that." });
    await fetchAll();
    site.pages.set("/docs/other", { body });
    const { failures } = await fetchAll();
    assertEquals([failures, await sources.find("indigo")], [[], ["Second name.md"]]);
    await sources.refresh(id);
    assertEquals([await sources.find("indigo"), await sources.find("saffron")], [["Second name.md"], [
      "Second name.md",
    ]]);
    const [named, other] = [await fileOf("/docs/named"), await fileOf("/docs/other")];
    assertEquals([other.fileId, named.version, named.status], [file.fileId, 1, "ready"]);
    await operator.from("knowledge_sources").delete().eq("id", id).throwOnError();
    assertEquals(await rowsOf(tenant.coachId), []);
  });
});

Deno.test("pages that are barred, twice there, or too many", async (t) => {
  await using prepared = await prepare({ topics: 4 });
  const { service, site, tenant, sources } = prepared;
  const { id } = await sources.add({ url: `${site.url}/docs/`, kind: "site" });
  const fileOf = async (path: string) =>
    (await rowsOf(tenant.coachId)).find(({ source_url }) => source_url === site.url + path);

  await t.step("the page of a deleted file is not asked for again", async () => {
    const file = await fileOf("/docs/topic-1");
    const path = `/knowledge-handler/${file!.id}?coachId=${tenant.coachId}`;
    assertReply(await ask(service, "DELETE", path, tenant), 200);
    // As in the dashboard.
    const other = await fileOf("/docs/topic-2");
    await operator.from("knowledge_files").delete().eq("id", other!.id).throwOnError();
    site.requests.length = 0;
    site.write("/docs/topic-1", { title: "Topic 1", text: "It has changed, and is still not wanted." });
    const source = await sources.refresh(id);
    assertEquals([source.status, source.pages, source.failures], ["ready", 4, []]);
    assertEquals(readRequests(site), ["/docs/", "/docs/handbook.pdf", "/docs/topic-3", "/docs/topic-4"]);
  });

  await t.step("a second page with the same title and text says so, has no file, and is always sent", async () => {
    const { body } = site.pages.get("/docs/topic-3")!;
    site.pages.set("/docs/twin", { body });
    for (let time = 0; time < 2; time++) {
      site.requests.length = 0;
      const source = await sources.refresh(id);
      assertEquals(source.failures, [{
        url: `${site.url}/docs/twin`,
        reason: `It has the same title and text as ${site.url}/docs/topic-3`,
      }]);
      assertEquals([source.status, source.pages], ["ready", 4]);
      assertEquals(site.count("/docs/twin"), { all: 1, conditional: 0, unchanged: 0 });
    }
    const kept = await fileOf("/docs/topic-3");
    remove(site, "/docs/topic-3");
    await sources.refresh(id);
    assertEquals((await fileOf("/docs/twin"))?.id, kept!.id);
  });

  await t.step("the same title with another text is another file", async () => {
    site.write("/docs/namesake", { title: "Topic 4", text: "This page has nothing but the title from the other one." });
    const source = await sources.refresh(id);
    assertEquals(source.failures, []);
    const names = (await rowsOf(tenant.coachId)).map(({ name }) => name);
    assertEquals(names.filter((name) => name === "Topic 4.md").length, 2);
  });

  await t.step("a lower limit deletes what is beyond it at the next refresh", async () => {
    assertReply(await sources.call("PATCH", `/${id}`, { limit: 2 }), 200);
    assertEquals((await sources.paths()).length, 5);
    const source = await sources.refresh(id);
    assertEquals([source.status, source.pages], ["ready", 2]);
    assertEquals(await sources.paths(), ["/docs/", "/docs/topic-4"]);
  });

  await t.step("the same site of another account is read on its own", async () => {
    const other = await createTenant({ requests_per_minute: 10_000 });
    const theirs = sourcesOf(service, other);
    const source = await theirs.add({ url: `${site.url}/docs/`, kind: "site", limit: 1 });
    assertEquals(source.pages, 1);
    await theirs.delete(source.id);
    assertEquals((await sources.paths()).length, 2);
  });

  await t.step("a file that was uploaded is not stored a second time", async () => {
    site.pages.set("/notes.txt", { body: "Notes on the bench saw.", type: "text/plain" });
    await uploadAndIndex(service, tenant, ["notes.txt", "Notes on the bench saw."]);
    const source = await sources.add({ url: `${site.url}/notes.txt`, kind: "page" });
    assertEquals(source.failures[0]!.reason, "It has the same title and text as a file that was uploaded");
    assertEquals((await rowsOf(tenant.coachId)).filter(({ name }) => name === "notes.txt").length, 1);
  });
});

Deno.test("a site without a sitemap is read by its links", async (t) => {
  await using prepared = await prepare({ topics: 5 });
  const { site, sources } = prepared;
  site.hasSitemap = false;
  site.robots = "User-agent: *\nDisallow: /docs/topic-5\n";
  const docs = ["/docs/", "/docs/handbook.pdf", "/docs/topic-1", "/docs/topic-2", "/docs/topic-3", "/docs/topic-4"];

  await t.step("those below its address that robots.txt allows", async () => {
    const { id } = await sources.add({ url: `${site.url}/docs/`, kind: "site" });
    assertEquals(await sources.paths(), docs);
    // Topic 6, which a link names, does not exist.
    assert(!readRequests(site).includes("/docs/topic-5"));
    const marks = await sources.marks();
    await sources.refresh(id);
    assertEquals(await sources.marks(), marks);
    await sources.delete(id);
  });

  await t.step("nearest first, up to the limit", async () => {
    const { id } = await sources.add({ url: `${site.url}/`, kind: "site", limit: 4 });
    assertEquals((await sources.paths()).length, 4);
    assert(!(await sources.paths()).includes("/docs/topic-1"));
    await sources.delete(id);
  });

  await t.step("a page that links no longer lead to stays until it is missing for a day", async () => {
    const { id } = await sources.add({ url: `${site.url}/docs/`, kind: "site" });
    site.write("/docs/", { title: "All topics", text: "The list is being rewritten." });
    site.write("/docs/topic-1", { title: "Topic 1", text: "It has lost its links." });
    await sources.refresh(id);
    assertEquals(await sources.paths(), docs);
    remove(site, "/docs/topic-2");
    await sources.refresh(id);
    await letTimePass(id, 23 * 60 * 60 * 1_000);
    await sources.refresh(id);
    assertEquals(await sources.paths(), docs);
    await letTimePass(id, 2 * 60 * 60 * 1_000);
    await sources.refresh(id);
    assertEquals(await sources.paths(), docs.filter((path) => path !== "/docs/topic-2"));
  });
});

Deno.test("a feed", async (t) => {
  await using prepared = await prepare();
  const { site, sources } = prepared;
  const { id } = await sources.add({ url: `${site.url}/feed.xml`, kind: "feed", limit: 3 });

  await t.step("its entries are files", async () => {
    assertEquals(await sources.paths(), ["/news/1", "/news/2", "/news/3"]);
    // The others have equal ranks: which of them is first depends on which was read first.
    const [best, ...others] = await sources.find("notice 2");
    assertEquals([best, others.toSorted()], ["News 2.md", ["News 1.md", "News 3.md"]]);
  });

  await t.step("a new entry drives the oldest out, beyond the limit", async () => {
    site.write("/news/4", { title: "News 4", text: "The workshop opens a second hall." });
    await sources.refresh(id);
    assertEquals(await sources.paths(), ["/news/2", "/news/3", "/news/4"]);
  });

  await t.step("an entry that has left the feed stays", async () => {
    const page = site.pages.get("/news/3")!;
    site.pages.delete("/news/3");
    site.pages.set("/news/3?moved", page);
    site.pages.set("/feed.xml", { body: "", status: 500 });
    const source = await sources.refresh(id);
    assertMatch(source.reason ?? "", /^The feed could not be read: /);
    assertEquals(await sources.paths(), ["/news/2", "/news/3", "/news/4"]);
  });

  await t.step("an address that is no feed fails", async () => {
    const source = await sources.add({ url: `${site.url}/docs/`, kind: "feed" });
    assertEquals([source.status, source.reason], ["failed", "There is no feed at this address"]);
  });
});

Deno.test("workers that are killed", async (t) => {
  await using prepared = await prepare({ topics: 3 });
  const { service, site, sources } = prepared;
  service.supabase.fault = (path) => path.endsWith("/fetcher") ? "refuse" : "pass";
  const reply = await sources.call("POST", "", { url: `${site.url}/docs/`, kind: "site", refresh: "never" });
  const { id } = reply.json;

  /** Takes something and does nothing with it, as a worker that is killed. Returns what. */
  async function takeAndDie(): Promise<string> {
    const { data } = await operator.rpc("take_fetching", { is_alone: true }).throwOnError();
    const { work } = data as { work: { url: string | null; source_id: string } };
    assertEquals(work.source_id, id);
    return work.url === null ? "the list" : new URL(work.url).pathname;
  }

  await t.step("while a claim lasts, nobody else has what is claimed", async () => {
    assertEquals(await takeAndDie(), "the list");
    const { data } = await operator.rpc("take_fetching", { is_alone: true }).throwOnError();
    assertEquals((data as { work: unknown }).work, null);
  });

  await t.step("a list is read after the claim has expired", async () => {
    await makeDue(id);
    const source = await sources.finish(id);
    assertEquals([source.status, source.pages], ["ready", 5]);
  });

  await t.step("a page that has killed three workers is given up, and the others are read", async () => {
    assertReply(await sources.call("POST", `/${id}/refresh`), 200);
    site.write("/docs/topic-3", { title: "Topic 3", text: "This page is now about the marlinspike." });
    // The list is read, and no page.
    const list = [...(await pagesOf(id)).values()].map(({ url }) => url);
    const { data } = await operator.rpc("take_fetching", { is_alone: true }).throwOnError();
    const { work } = data as { work: { claim: string } };
    await operator.rpc("save_source_list", {
      source_id: id,
      claim: work.claim,
      urls: list,
      is_whole: true,
      follows_links: false,
      reason: null as unknown as string,
      is_temporary: false,
      pause_ms: 0,
    }).throwOnError();
    const victim = await takeAndDie();
    for (let time = 0; time < 2; time++) {
      const due = { due_at: new Date(0).toISOString() };
      await operator.from("source_pages").update(due).eq("source_id", id).eq("url", site.url + victim).throwOnError();
      assertEquals(await takeAndDie(), victim);
    }
    await operator.from("source_pages").update({ due_at: new Date(0).toISOString() })
      .eq("source_id", id).eq("url", site.url + victim).throwOnError();
    const source = await sources.finish(id);
    assertEquals(source.failures, [{
      url: site.url + victim,
      reason: "Reading the page takes more time or memory than a function has",
    }]);
    assertEquals([source.status, source.pages], ["ready", 5]);
    assertEquals(await sources.find("marlinspike"), ["Topic 3.md"]);
  });

  await t.step("what a worker saves after its claim has expired is ignored", async () => {
    assertReply(await sources.call("POST", `/${id}/refresh`), 200);
    const { data } = await operator.rpc("take_fetching", { is_alone: true }).throwOnError();
    const { work } = data as { work: { claim: string } };
    assertReply(await sources.call("POST", `/${id}/refresh`), 200);
    const { data: isSaved } = await operator.rpc("save_source_list", {
      source_id: id,
      claim: work.claim,
      urls: [],
      is_whole: true,
      follows_links: false,
      reason: null as unknown as string,
      is_temporary: false,
      pause_ms: 0,
    }).throwOnError();
    assertEquals(isSaved, false);
    assertEquals((await sources.finish(id)).pages, 5);
  });
});

Deno.test("without ALLOW_PRIVATE_SOURCES, no private address is asked", async () => {
  await using prepared = await prepare({ env: {} });
  const { site, sources } = prepared;
  for (const kind of ["page", "site", "feed"]) {
    const source = await sources.add({ url: `${site.url}/${kind}`, kind });
    assertEquals([source.status, source.pages], ["failed", 0]);
    assertMatch(source.reason ?? "", /not on the public internet|robots\.txt/);
  }
  assertEquals(site.requests, []);
});

Deno.test("links, sitemaps and redirects that lead elsewhere are not followed", async (t) => {
  await using prepared = await prepare();
  await using other = await startTestSite({ topics: 1 });
  const { site, sources } = prepared;

  await t.step("from a site to another", async () => {
    site.pages.set("/docs/topic-1", { body: "", status: 302, headers: { Location: `${other.url}/docs/topic-1` } });
    site.pages.set("/sitemap.xml", {
      type: "application/xml",
      body: `<urlset>${
        [
          `${site.url}/docs/`,
          `${site.url}/docs/topic-1`,
          `${other.url}/docs/topic-1`,
          `${site.url}/news/1`,
          "file:///etc/passwd",
        ]
          .map((url) => `<url><loc>${url}</loc></url>`).join("")
      }</urlset>`,
    });
    const source = await sources.add({ url: `${site.url}/docs/`, kind: "site" });
    assertEquals(await sources.paths(), ["/docs/"]);
    assertEquals(source.failures.map(({ url }) => url), [`${site.url}/docs/topic-1`]);
    await sources.delete(source.id);
  });

  await t.step("a very long page is read from its beginning, and says so, also when it is unchanged", async () => {
    const text = Array.from({ length: 70_000 }, (_, place) => `word${place}`).join(" ");
    site.pages.set("/long", { body: makePage({ title: "Long", text }) });
    const source = await sources.add({ url: `${site.url}/long`, kind: "page" });
    const expected = { url: source.url, reason: "The page is very long: only its beginning is read" };
    assertEquals([source.status, source.pages, source.failures], ["ready", 1, [expected]]);
    const again = await sources.refresh(source.id);
    assertEquals([again.status, again.pages, again.failures], ["ready", 1, [expected]]);
    await sources.delete(source.id);
  });

  await t.step("in a circle, or to what no page is", async () => {
    site.pages.set("/circle", { body: "", status: 302, headers: { Location: "/circle" } });
    site.pages.set("/program", { body: new Uint8Array([0x7f, 0x45, 0x4c, 0x46]), type: "application/x-elf" });
    site.pages.set("/fake.pdf", { body: "No PDF at all", type: "application/pdf" });
    site.pages.set("/large", { body: makePage({ title: "Large", text: "word ".repeat(2_200_000) }) });
    const reasons: Record<string, RegExp> = {
      "/circle": /redirects in a circle/,
      "/program": /Content of the type application\/x-elf cannot be read/,
      "/fake.pdf": /The content is not that of a PDF file/,
      "/large": /larger than 10 MB/,
    };
    for (const [path, reason] of Object.entries(reasons)) {
      const source = await sources.add({ url: site.url + path, kind: "page" });
      assertEquals(source.status, "failed");
      assertMatch(source.reason ?? "", reason);
    }
  });
});

Deno.test("more sources of one host than it may be asked for at once are read one after the other", async () => {
  await using prepared = await prepare({ isFetcherAwake: false });
  const { site, sources } = prepared;
  const ids: string[] = [];
  for (let number = 1; number <= 6; number++) {
    const { json } = await sources.call("POST", "", {
      url: `${site.url}/docs/?${number}`,
      kind: "site",
      refresh: "never",
    });
    ids.push(json.id);
  }
  // Workers take lists until the host has no free lane, and then look for work again.
  const taken: { source_id: string; claim: string }[] = [];
  for (let looks = 0, idle = 0; idle < 3; looks++) {
    assert(looks < 20, "there is always more work");
    const { data } = await operator.rpc("take_fetching", { is_alone: true }).throwOnError();
    const { work } = data as { work: typeof taken[number] | null };
    if (work === null) idle++;
    else taken.push(work);
  }
  for (const id of ids) {
    const source = await sources.get(id);
    assertEquals([source.status === "failed", source.reason], [false, null], source.url);
  }
  // Another site may get the same port: its lanes are free again.
  for (const { source_id, claim } of taken) {
    const list = { urls: [], is_whole: true, follows_links: false, reason: "", is_temporary: false, pause_ms: 0 };
    await operator.rpc("save_source_list", { source_id, claim, ...list }).throwOnError();
  }
});

/** Takes what a worker is to fetch, some times in a row, and returns the sources. Null: nothing could be taken. */
async function takeTimes(times: number): Promise<(string | null)[]> {
  const taken: (string | null)[] = [];
  for (let time = 0; time < times; time++) {
    const { data } = await operator.rpc("take_fetching", { is_alone: true }).throwOnError();
    taken.push((data as { work: { source_id: string } | null }).work?.source_id ?? null);
  }
  return taken;
}

Deno.test("hosts are asked at the same time, each for one thing", async () => {
  await using prepared = await prepare({ isFetcherAwake: false });
  const ids: string[] = [];
  for (const host of ["one", "one", "two", "three"].map((name) => `${name}-${prepared.tenant.accountId}.example`)) {
    const page = { url: `https://${host}/${ids.length}`, kind: "page", refresh: "never" };
    const reply = await prepared.sources.call("POST", "", page);
    assertReply(reply, 200);
    ids.push(reply.json.id);
  }
  assertEquals(await takeTimes(4), [ids[0]!, ids[2]!, ids[3]!, null]);
});

Deno.test("sources that wait for one host do not keep others waiting", async () => {
  await using prepared = await prepare({ isFetcherAwake: false });
  const add = async (url: string, kind: string): Promise<string> => {
    const reply = await prepared.sources.call("POST", "", { url, kind, refresh: "never" });
    assertReply(reply, 200);
    return reply.json.id;
  };
  const host = `${prepared.tenant.accountId}.example`;
  const first = await add(`https://${host}/0`, "page");
  for (let number = 1; number < 60; number++) await add(`https://${host}/${number}`, "page");
  const other = await add(`https://other-${host}/`, "site");
  // Looks at fifty sources at a time, of which none can be read.
  assertEquals(await takeTimes(4), [first, null, other, null]);
});

Deno.test("hostile servers", async (t) => {
  await forgetEarlierSources();
  await using service = await startService({ env: allowing, isFetcherAwake: true, timeouts: { fetch: 1_500 } });
  await using hostile = startHostileSite();
  await using site = await startTestSite({ topics: 2 });
  const tenant = await createTenant({ requests_per_minute: 10_000 });
  const sources = sourcesOf(service, tenant);

  // Each alone: shared/libs/web/{fetch_address,page,robots,sitemap,feed}_test.ts.
  await slowStep(t, "cost their sources, each with a reason, and no other", async () => {
    const ids: string[] = [];
    for (
      const path of [
        "endless",
        "bomb",
        "broken-gzip",
        "redirects/9",
        "to-file",
        "to-user",
        "silent",
        "drip",
        "tiny-chunks",
        "no-http",
      ]
    ) {
      const reply = await sources.call("POST", "", { url: `${hostile.url}/${path}`, kind: "page", refresh: "never" });
      ids.push(reply.json.id);
    }
    const good = await sources.add({ url: `${site.url}/docs/`, kind: "site" });
    assertEquals([good.status, good.pages], ["ready", 4], JSON.stringify(good));
    for (const id of ids) {
      const source = await sources.finish(id);
      assertEquals([source.status, source.pages], ["failed", 0], source.url);
      assertMatch(source.reason ?? "", /^[A-Z].*[^.]$/);
    }
  });

  await t.step("with sites and feeds that never end are read up to the limits", async () => {
    const calendar = await sources.add({ url: `${hostile.url}/calendar/1`, kind: "site", limit: 10 });
    assert(calendar.pages <= 10);
    const feed = await sources.add({ url: `${hostile.url}/endless/feed`, kind: "feed" });
    assertEquals([feed.status, feed.pages], ["failed", 0]);
  });

  await operator.from("knowledge_sources").delete().eq("coach_id", tenant.coachId).throwOnError();
});

Deno.test("an isolate without CPU time reads one page at a time, and hands over", async () => {
  await forgetEarlierSources();
  await using service = await startService({ env: allowing, isFetcherAwake: true, timeouts: { fetching: 0 } });
  await using site = await startTestSite({ topics: 3 });
  const tenant = await createTenant({ requests_per_minute: 10_000 });
  const sources = sourcesOf(service, tenant);
  const source = await sources.add({ url: `${site.url}/docs/`, kind: "site" });
  assertEquals([source.status, source.pages], ["ready", 5]);
  // The list and five pages, of which the last leaves nothing.
  assert(service.supabase.requests.filter((path) => path.endsWith("/functions/v1/fetcher")).length >= 5);
  await sources.delete(source.id);
});
