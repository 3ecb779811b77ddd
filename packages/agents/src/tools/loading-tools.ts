/** Matches the names of tools that load instructions. */
const loader: RegExp =
  /^(?:.*__)?(?:skill|skills?[_-](?:view|load|read|open|use|get|invoke)|(?:load|read|view|open|use|invoke|get)[_-]?skills?|load_(?:rules?|instructions?|prompt|memory_bank))$/i;

/** True for the name of a tool that loads a skill or other instructions. */
export function isLoadingTool(name: string): boolean {
  return loader.test(name);
}

/** Matches the text of a skill that Claude Code puts behind the result of the call, in a user message. */
const skillText: RegExp = /^\s{0,8}Base directory for this skill: ([^\n]{1,300})/;

/** The folder of a skill whose text the harness inserted into a user message; `null` for any other text. */
export function readInsertedSkill(text: string): string | null {
  return skillText.exec(text)?.[1]?.trim() ?? null;
}
