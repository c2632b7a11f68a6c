import type { Browser, Locator, Page } from "playwright-core";

/** A visit to the reference page, in a new browser profile. */
export type ReferenceVisit = AsyncDisposable & {
  page: Page;
  /** Every origin that the page has sent a request to. */
  origins: Set<string>;
  /** The page's errors, except refusals of the service, which the page shows. */
  errors: string[];
  /** Unfolds the operation with this operationId. */
  open(operationId: string): Promise<ReferenceOperation>;
};

/** An operation on the page, unfolded. */
export type ReferenceOperation = {
  box: Locator;
  /** Fills in a parameter. */
  fill(parameter: string, value: string): Promise<void>;
  /** Sends the request and reads the displayed reply. */
  execute(): Promise<{ status: number; shown: string }>;
};

/** Opens the page and waits until it shows the document. */
export async function visitReference(
  browser: Browser,
  baseUrl: string,
): Promise<ReferenceVisit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const origins = new Set<string>();
  const errors: string[] = [];
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    const isRefusal = message.location().url.startsWith(`${baseUrl}/functions/v1/`) &&
      /status of 4/.test(message.text());
    if (message.type() === "error" && !isRefusal) errors.push(message.text());
  });
  await page.goto(`${baseUrl}/docs`);
  await page.locator(".opblock").first().waitFor();

  async function open(operationId: string): Promise<ReferenceOperation> {
    const box = page.locator(`.opblock[id$="-${operationId}"]`);
    const body = box.locator(".opblock-body");
    if (!await body.isVisible()) await box.locator(".opblock-summary-control").click();
    await body.waitFor();
    return {
      box,
      fill: (parameter, value) => box.locator(`tr[data-param-name="${parameter}"] input`).fill(value),
      async execute() {
        const former = box.locator("button.btn-clear");
        if (await former.isVisible()) await former.click();
        await box.locator("button.execute").click();
        const reply = box.locator(".live-responses-table tr.response");
        const shown = await reply.innerText();
        return { status: Number.parseInt(shown), shown };
      },
    };
  }

  return { page, origins, errors, open, [Symbol.asyncDispose]: () => context.close() };
}
