import { Buffer } from "node:buffer";
import { brotliDecompressSync } from "node:zlib";

/** The collections of characters that have predefined maps. */
export const collections = ["gb1", "cns1", "japan1", "korea1"] as const;
type Collection = typeof collections[number];

/** The collection of a predefined map. */
export function collectionOf(name: string): Collection {
  if (/^(?:GB|UniGB|Adobe-GB1)/.test(name)) return "gb1";
  if (/^(?:B5|CNS|ET|HKscs|UniCNS|Adobe-CNS1)/.test(name)) return "cns1";
  return /^(?:KSC|UniKS|Adobe-Korea1)/.test(name) ? "korea1" : "japan1";
}

/** The maps weigh more than the code of pdf.js's parser: those of a collection are loaded with its first document. */
const modules: Record<Collection, () => Promise<{ sizes: [string, number][]; packed: string }>> = {
  gb1: () => import("./character_maps/gb1.ts"),
  cns1: () => import("./character_maps/cns1.ts"),
  japan1: () => import("./character_maps/japan1.ts"),
  korea1: () => import("./character_maps/korea1.ts"),
};

const unpacked = new Map<Collection, Promise<Map<string, Uint8Array>>>();
let loading: Promise<unknown> | undefined;

/** Set while maps are being loaded, which needs turns of the event loop. */
export function loadingOfMaps(): Promise<unknown> | undefined {
  return loading;
}

async function unpack(collection: Collection): Promise<Map<string, Uint8Array>> {
  const { sizes, packed } = await modules[collection]();
  const bytes = new Uint8Array(brotliDecompressSync(Buffer.from(packed, "base64")));
  let start = 0;
  return new Map(sizes.map(([name, size]) => [name, bytes.slice(start, start += size)]));
}

/** Gives pdf.js the predefined character maps, which files with Chinese, Japanese or Korean text refer to by name. */
export class CharacterMaps {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const name = filename.replace(/\.bcmap$/, "");
    const collection = collectionOf(name);
    const maps = unpacked.get(collection) ?? unpack(collection);
    unpacked.set(collection, maps);
    loading = maps.finally(() => loading = undefined);
    const map = kind === "cMapUrl" ? (await loading, await maps).get(name) : undefined;
    if (map === undefined) throw new Error(`There is no ${filename}`);
    return map.slice();
  }
}
