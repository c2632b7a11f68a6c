import type { CoreServices } from "../../core/core_services.ts";
import type { WorkBudget } from "../../core/work_budget.ts";
import { fetchAddress, type FetchedAddress, type FetchOptions } from "../../libs/web/fetch_address.ts";
import { mostRobotsBytes, readRobots, type Robots, robotsAddress } from "../../libs/web/robots.ts";
import { release } from "../../infra/release.ts";

/** The runtime's work while the code waits for a reply, in milliseconds: see `meter_services.ts` of the indexer. */
export const costs = {
  /** A call of Postgres or of another function. */
  request: 2,
  /** Resolving a name, making an encrypted connection, and sending a request. */
  fetch: 6,
  /** Receiving a megabyte, compressed or not. */
  megabyteReceived: 8,
  /** Sending a megabyte to Storage. */
  megabyteSent: 6,
};

/** The services that the function `fetcher` is built from. */
export type FetcherServices = Pick<
  CoreServices,
  | "database"
  | "files"
  | "timeouts"
  | "allowsPrivateSources"
  | "wakeIndexer"
  | "wakeFetcher"
  | "waitUntil"
>;

/** The rules of a site. */
export type SiteRules = {
  robots: Robots;
  /** They had to be fetched for this call. */
  isNew: boolean;
  /** The reason why they are not known, and whether they may be later; null if they are known. */
  failure: { reason: string; isTemporary: boolean } | null;
};

/** The same for a sweep. What they do is charged to the budget of the isolate. */
export type FetchServices = FetcherServices & {
  /** Fetches an address within its time limit. */
  fetchWeb(
    url: string,
    options: Pick<FetchOptions, "signal" | "maxBytes" | "cuts" | "etag" | "lastModified">,
  ): Promise<FetchedAddress>;
  /** The rules of the site of an address. */
  readRules(url: string, signal: AbortSignal): Promise<SiteRules>;
  /** Runs work that needs much CPU time and memory: one at a time, so that its time can be measured. */
  parse<Result>(work: () => Promise<Result> | Result): Promise<Result>;
};

const megabyte = 1_000_000;

function describeUnknown(found: FetchedAddress): { reason: string; isTemporary: boolean } {
  const reason = "The robots.txt of the site could not be read, so that nothing of it is read";
  if (found.kind !== "failed") return { reason, isTemporary: true };
  return { reason: `${reason}: ${found.reason}`, isTemporary: found.isTemporary };
}

/** The name under which the service reads websites; robots.txt may name it. */
export const robotName = "HumanIntelligenceChat";
const userAgent = `Mozilla/5.0 (compatible; ${robotName}/${release.version})`;

/** The time for which the rules of a site are kept, and of how many sites. */
const rulesLast = 15 * 60_000;
const mostSites = 200;

/** Adds what sweeps need to the services, with the rules of sites that the isolate has read. */
export function createFetchServices(services: FetcherServices, budget: WorkBudget): FetchServices {
  const { database, files, timeouts, allowsPrivateSources } = services;
  const rules = new Map<string, { robots: Robots; readAt: number }>();
  let lastParse: Promise<unknown> = Promise.resolve();

  async function fetchWeb(url: string, options: Omit<FetchOptions, "allowsPrivate">): Promise<FetchedAddress> {
    budget.charge(costs.fetch);
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeouts.fetch)]);
    const found = await fetchAddress(url, { ...options, userAgent, signal, allowsPrivate: allowsPrivateSources });
    if (found.kind === "content") budget.charge(found.bytes.length / megabyte * costs.megabyteReceived);
    return found;
  }

  return {
    ...services,
    fetchWeb,
    async readRules(url, signal) {
      const address = robotsAddress(url);
      const known = rules.get(address);
      if (known !== undefined && performance.now() - known.readAt < rulesLast) {
        return { robots: known.robots, isNew: false, failure: null };
      }
      const found = await fetchWeb(address, { signal, maxBytes: mostRobotsBytes, cuts: true });
      const robots = readRobots(found, { url: address, name: robotName });
      if (rules.size >= mostSites) rules.delete(rules.keys().next().value!);
      if (!robots.isUnknown) rules.set(address, { robots, readAt: performance.now() });
      return { robots, isNew: true, failure: robots.isUnknown ? describeUnknown(found) : null };
    },
    async parse(work) {
      const turn = lastParse.then(async () => {
        const startedAt = performance.now();
        try {
          return await work();
        } finally {
          budget.charge(performance.now() - startedAt);
        }
      });
      lastParse = turn.catch(() => {});
      return await turn;
    },
    database: {
      ...database,
      call: (name, args, schema) => {
        budget.charge(costs.request);
        return database.call(name, args, schema);
      },
    },
    files: {
      ...files,
      put(path, chunks, contentType) {
        budget.charge(costs.request);
        return files.put(path, countBytes(chunks), contentType);
      },
    },
    wakeIndexer(log) {
      budget.charge(costs.request);
      return services.wakeIndexer(log);
    },
  };

  async function* countBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      budget.charge(chunk.length / megabyte * costs.megabyteSent);
      yield chunk;
    }
  }
}
