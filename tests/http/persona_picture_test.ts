import { concat } from "../../shared/libs/base/std/bytes.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { ask, assertRefused, clientOf, type Credentials } from "../support/client.ts";
import { objectsOf, sweep } from "../support/knowledge.ts";
import { createTenant, createUser, operator } from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { samplePictures } from "../support/sample_pictures.ts";
import { startService } from "../support/service.ts";

const key = { requests_per_minute: 10_000, requests_per_hour: 10_000, scopes: ["chat", "threads:write", "expert"] };
const { jpeg, png, lossy, lossless } = samplePictures;

/** A picture as anybody reads it. */
async function read(url: string) {
  const response = await fetch(url);
  return { status: response.status, type: response.headers.get("Content-Type"), bytes: await response.bytes() };
}

Deno.test("the picture of a persona", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const tenant = await createTenant(key, { owner_id: owner.id });
  const { coachId } = tenant;
  const mara = { apiKey: tenant.apiKey, accessToken: owner.accessToken };
  const client = clientOf(service, mara);
  const put = (picture: Uint8Array | ReadableStream, type = "image/png", caller: Credentials = mara) =>
    ask(service, "PUT", `/coaches/${coachId}/picture`, caller, picture, { headers: { "Content-Type": type } });
  const contains = (bytes: Uint8Array, text: string) => new TextDecoder("latin1").decode(bytes).includes(text);

  for (const [type, picture] of [["image/jpeg", jpeg], ["image/png", png], ["image/webp", lossy]] as const) {
    await t.step(`${type}: part of the draft, without metadata, for everybody who knows the address`, async () => {
      assert(contains(picture, "SECRET"));
      // The content decides, not what the sender says.
      const { status, json } = await put(picture, "application/octet-stream");
      assertEquals([status, json.changes], [200, ["picture"]]);
      assertMatch(
        json.picture_url,
        /^https?:\/\/[^/]+\/storage\/v1\/object\/public\/pictures\/[0-9a-f/-]+\.(png|jpg|webp)$/,
      );
      const shown = await read(json.picture_url);
      assertEquals([shown.status, shown.type], [200, type]);
      assert(!contains(shown.bytes, "SECRET") && !contains(shown.bytes, "Exif"));
      assertEquals((await client.getCoach(coachId)).picture_url, null);
    });
  }
  await t.step("the client sends a blob", async () => {
    const draft = await client.setPicture(coachId, new Blob([jpeg], { type: "image/jpeg" }));
    assertMatch(draft.picture_url ?? "", /\.jpg$/);
  });
  await t.step("saving the draft keeps it; removing it leaves the rest", async () => {
    const { picture_url } = await client.getDraft(coachId);
    const draft = await client.saveDraft(coachId, { title: "Countess" });
    assertEquals([draft.picture_url, draft.changes], [picture_url, ["title", "picture"]]);
    const without = await client.removePicture(coachId);
    assertEquals([without.picture_url, without.title, without.changes], [null, "Countess", ["title"]]);
    assertEquals((await client.setPicture(coachId, new Blob([jpeg]))).picture_url, picture_url);
  });
  await t.step("published, it is in the list of coaches and in the version; removed, it stays there", async () => {
    const { version, picture_url, changes } = await client.publish(coachId, { if_version: 1 });
    assertEquals([version, changes], [2, ["title", "picture"]]);
    assertEquals((await client.getCoach(coachId)).picture_url, picture_url);
    assertEquals((await client.listCoaches()).data.map((coach) => coach.picture_url), [picture_url]);
    assertEquals((await client.removePicture(coachId)).picture_url, null);
    assertEquals((await client.getCoach(coachId)).picture_url, picture_url);
    await client.publish(coachId, { if_version: 2 });
    assertEquals((await client.getCoach(coachId)).picture_url, null);
    assertEquals((await client.getVersion(coachId, 2)).picture_url, picture_url);
    assertEquals((await client.restoreVersion(coachId, 2)).picture_url, picture_url);
    assertEquals((await read(picture_url!)).status, 200);
  });
  await t.step("two coaches have the same picture twice", async () => {
    const other = await createTenant(key);
    const draft = await clientOf(service, other).setPicture(other.coachId, new Blob([jpeg]));
    assertNotEquals(draft.picture_url, (await client.getCoach(coachId)).picture_url);
  });

  const large = concat([
    jpeg.slice(0, 2),
    ...Array(17).fill(concat([new Uint8Array([0xff, 0xfe, 0xff, 0xff]), new Uint8Array(65_533)])),
  ]);
  const bad: [name: string, picture: Uint8Array, Refusal, what: string][] = [
    ["nothing", new Uint8Array(), "invalid_input", "The picture must be a PNG, JPEG or WebP image"],
    [
      "a page",
      new TextEncoder().encode("<html><script>alert(1)</script>"),
      "invalid_input",
      "The picture must be a PNG, JPEG or WebP image",
    ],
    [
      "SVG",
      new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      "invalid_input",
      "The picture must be a PNG, JPEG or WebP image",
    ],
    ["half a picture", png.slice(0, 200), "invalid_input", "The picture is damaged"],
    ["more than 1 MB", large, "body_too_large", "1024 KB"],
  ];
  for (const [name, picture, ...refusal] of bad) {
    await t.step(`${name} → ${refusal[0]}`, async () => assertRefused(await put(picture), ...refusal));
  }
  await t.step("more than 1 MB of unknown length → 413", async () => {
    const stream = new Blob([large]).stream();
    assertRefused(await put(stream), "body_too_large", "1024 KB");
  });
  await t.step("a stranger's is not stored, anywhere", async () => {
    const stranger = await createUser();
    const foreign = await createTenant(key);
    const before = [await client.getDraft(coachId), await objectsOf(tenant.accountId, "pictures")];
    assertEquals((await put(lossless, "image/webp", { ...mara, accessToken: stranger.accessToken })).status, 403);
    assertEquals((await put(lossless, "image/webp", foreign)).status, 404);
    assertEquals([await client.getDraft(coachId), await objectsOf(tenant.accountId, "pictures")], before);
    assertEquals(await objectsOf(foreign.accountId, "pictures"), []);
  });
  await t.step("where Storage fails → 503, and the draft stays as it is", async () => {
    const before = await client.getDraft(coachId);
    service.supabase.fault = (path) => path.startsWith("/storage/") ? "refuse" : "pass";
    assertRefused(await put(png), "unavailable");
    service.supabase.fault = "pass";
    assertEquals(await client.getDraft(coachId), before);
  });
});

Deno.test("the pictures of a deleted coach are removed, with its versions", async () => {
  await using service = await startService();
  const tenant = await createTenant(key);
  const other = await createTenant(key);
  const { coachId } = tenant;
  const client = clientOf(service, tenant);
  await client.setPicture(coachId, new Blob([jpeg]));
  await client.publish(coachId, { if_version: 1 });
  await client.setPicture(coachId, new Blob([png]));
  await clientOf(service, other).setPicture(other.coachId, new Blob([png]));
  const kept = await objectsOf(other.accountId, "pictures");
  await sweep(service);
  assertEquals([(await objectsOf(tenant.accountId, "pictures")).length, kept.length], [2, 1]);

  await operator.from("coach_profiles").delete().eq("id", coachId).throwOnError();
  const { data } = await operator.from("coach_versions").select("version").eq("coach_id", coachId).throwOnError();
  assertEquals(data, []);
  await sweep(service);
  assertEquals([await objectsOf(tenant.accountId, "pictures"), await objectsOf(other.accountId, "pictures")], [
    [],
    kept,
  ]);
});
