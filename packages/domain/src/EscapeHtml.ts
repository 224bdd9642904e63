/** Escapes text for HTML elements and attributes. */

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => references[character]!)
