import type { Package } from "../open_package.ts";
import { unreadable } from "../document_reader.ts";
import { readXml } from "./read_xml.ts";

/** A reference of a part of the archive: to an address, or to another part by its name. `kind` is the end of its type. */
export type Relationship = { kind: string; target: string; isExternal: boolean };

/** The relationships of a part, by their ids. */
export function readRelationships(xml: string, part: string): Map<string, Relationship> {
  const relationships = new Map<string, Relationship>();
  readXml(xml, {
    open(name, { Id: id, Type: type = "", Target: target = "", TargetMode: mode }) {
      if (name !== "Relationship" || id === undefined) return;
      const isExternal = mode === "External";
      const kind = type.slice(type.lastIndexOf("/") + 1);
      relationships.set(id, { kind, target: isExternal ? target : resolvePart(target, part), isExternal });
    },
  });
  return relationships;
}

/** The relationships of a part of a package; of the package itself without a name. */
export function relationshipsOf(parts: Package, name = ""): Map<string, Relationship> {
  return readRelationships(parts.xml(nameOfRelationships(name)), name);
}

/** The part with which a package of Office begins. Throws UnreadableDocument where there is none. */
export function openMainPart(parts: Package, usualName: string): { xml: string; related: Map<string, Relationship> } {
  const name = [...relationshipsOf(parts).values()].find(({ kind }) => kind === "officeDocument")?.target ?? usualName;
  const xml = parts.xml(name);
  if (xml === "") throw unreadable.damaged();
  return { xml, related: relationshipsOf(parts, name) };
}

/** The part that holds the relationships of another. */
export function nameOfRelationships(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

function resolvePart(target: string, from: string): string {
  const path = target.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const step of target.split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}
