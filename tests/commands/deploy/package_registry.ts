import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { serve } from "../../support/serve.ts";

/** A version of a package, with what its `index.js` exports as `text`. */
export type Release = { text: string; dependencies?: Record<string, string> };

/** An npm registry with a few packages. */
export type PackageRegistry = AsyncDisposable & {
  url: string;
  /** The releases, as `name@version`. What is changed here changes with its digest. */
  releases: Record<string, Release>;
  /** Releases that are sent in the place of others, whose digests stay. */
  swapped: Record<string, Release>;
};

/** Starts a registry on this machine. */
export function startPackageRegistry(releases: Record<string, Release>): PackageRegistry {
  const server = serve((request) => {
    const { pathname } = new URL(request.url);
    const [, id] = /^\/tarballs\/(.+)\.tgz$/.exec(pathname) ?? [];
    const release = id === undefined ? undefined : self.swapped[id] ?? self.releases[id];
    if (id !== undefined && release !== undefined) return new Response(pack(id, release));
    const name = pathname.slice(1);
    const versions = Object.entries(self.releases).filter(([id]) => id.startsWith(`${name}@`))
      .map(([id, release]) => describe(id, release));
    if (versions.length === 0) return new Response("{}", { status: 404 });
    return Response.json({
      name,
      "dist-tags": { latest: versions.at(-1)!.version },
      versions: Object.fromEntries(versions.map((each) => [each.version, each])),
    });
  });
  function describe(id: string, release: Release) {
    const tarball = pack(id, release);
    const digest = (algorithm: string, form: "hex" | "base64") => createHash(algorithm).update(tarball).digest(form);
    return {
      ...manifestOf(id, release),
      dist: {
        tarball: `${server.url}/tarballs/${id}.tgz`,
        integrity: `sha512-${digest("sha512", "base64")}`,
        shasum: digest("sha1", "hex"),
      },
    };
  }
  const self: PackageRegistry = { ...server, releases, swapped: {} };
  return self;
}

function manifestOf(id: string, { dependencies = {} }: Release) {
  const [name, version] = id.split("@");
  return { name: name!, version: version!, type: "module", main: "index.js", dependencies };
}

/** The archive of a release: a gzipped file of tar. */
function pack(id: string, release: Release): Uint8Array<ArrayBuffer> {
  const files = {
    "package/package.json": JSON.stringify(manifestOf(id, release)),
    "package/index.js": [
      ...Object.keys(release.dependencies ?? {}).map((name) => `export * as ${name} from "${name}";`),
      `export const text = ${JSON.stringify(release.text)};`,
    ].join("\n"),
  };
  const blocks = Object.entries(files).flatMap(([name, text]) => [headerOf(name, text.length), padded(text)]);
  return new Uint8Array(gzipSync(new Uint8Array([...blocks, new Uint8Array(1024)].flatMap((block) => [...block]))));
}

function headerOf(name: string, size: number): Uint8Array {
  const octal = (number: number, length: number) => `${number.toString(8).padStart(length - 1, "0")}\0`;
  const fields = (checksum: string) =>
    [
      name.padEnd(100, "\0"),
      octal(0o644, 8),
      octal(0, 8),
      octal(0, 8),
      octal(size, 12),
      octal(0, 12),
      checksum,
      "0",
      "\0".repeat(100),
      "ustar\x0000",
    ].join("");
  const sum = new TextEncoder().encode(fields(" ".repeat(8))).reduce((sum, byte) => sum + byte, 0);
  return padded(fields(`${octal(sum, 7)} `));
}

/** Text in ASCII, filled up to whole blocks of tar. */
function padded(text: string): Uint8Array {
  const block = new Uint8Array(Math.ceil(text.length / 512) * 512);
  block.set(new TextEncoder().encode(text));
  return block;
}
