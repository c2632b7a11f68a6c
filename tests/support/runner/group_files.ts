/** The folders whose files may share a process: each of their tests makes all that it needs, and restores what it changes. */
const shared = [
  "shared/libs/",
  "tests/browser/",
  "tests/commands/admin/",
  "tests/commands/tools/",
  "tests/database/",
  "tests/http/",
  "tests/unit/",
];

/**
 * Divides files into groups, each for one process: for many files, loading their modules takes longer than their tests.
 * The first group of a folder is the largest and the last one is small, so that the lanes end at about the same time.
 *
 * @param alone files that have a process of their own, as do those of other folders
 */
export function groupFiles(files: string[], { alone, lanes }: { alone: string[]; lanes: number }): string[][] {
  const folderOf = (file: string) => alone.includes(file) ? undefined : shared.find((each) => file.startsWith(each));
  return [...Map.groupBy(files, (file) => folderOf(file) ?? file).values()].flatMap((together) => {
    const groups: string[][] = [];
    for (let start = 0; start < together.length;) {
      const size = Math.max(6, Math.min(20, Math.ceil((together.length - start) / (1.5 * lanes))));
      groups.push(together.slice(start, start += size));
    }
    return groups;
  });
}
