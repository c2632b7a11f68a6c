import { dirname, join, relative, resolve } from "node:path";
import { isFile } from "./is_file.ts";

/** Folders without pages of the project. */
const skipped = /^(?:\..*|node_modules|backup)$/;

/**
 * Lists the relative links in all Markdown files below a folder whose file or heading does not exist, each as a line
 * `<page>: <link>`. Links to other sites are not checked.
 */
export async function findDeadLinks(root: string): Promise<string[]> {
  const dead: string[] = [];
  for await (const page of listPages(root)) {
    for (const link of readLinks(await Deno.readTextFile(page))) {
      if (!await doesLead(root, page, link)) dead.push(`${relative(root, page)}: ${link}`);
    }
  }
  return dead.toSorted();
}

async function* listPages(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory && !skipped.test(name)) yield* listPages(path);
    else if (name.endsWith(".md")) yield path;
  }
}

/** The text without code blocks. */
function readProse(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```/gms, "");
}

function readLinks(markdown: string): string[] {
  const prose = readProse(markdown).replaceAll(/`[^`\n]*`/g, "");
  const links = [...prose.matchAll(/\]\(\s*([^)\s]+)[^)]*\)|^ *\[[^\]]+\]:\s*(\S+)/gm)].map(([, a, b]) => a ?? b ?? "");
  return links.filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

async function doesLead(root: string, page: string, link: string): Promise<boolean> {
  const [path = "", anchor] = decodeURIComponent(link).split("#");
  const target = path === "" ? page : resolve(dirname(page), path);
  if (relative(root, target).startsWith("..")) return false;
  if (anchor === undefined) return await doesExist(target);
  return isFile(target) && listAnchors(await Deno.readTextFile(target)).includes(anchor);
}

async function doesExist(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** The anchors of a page's headings, as GitHub makes them. */
function listAnchors(markdown: string): string[] {
  const counts = new Map<string, number>();
  return [...readProse(markdown).matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)].map(([, heading = ""]) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}
