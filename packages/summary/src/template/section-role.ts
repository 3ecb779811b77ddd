import type { SummaryTemplate } from '@palimpsest/core';

/** The subject of a section, independent of its heading. */
export type SectionRole =
  | 'task'
  | 'goal'
  | 'rules'
  | 'log'
  | 'actions'
  | 'state'
  | 'progress'
  | 'blocked'
  | 'decisions'
  | 'answers'
  | 'asks'
  | 'files'
  | 'remaining'
  | 'context';

/** The first pattern that matches a heading decides its role, so narrow patterns come before wide ones. */
const roleWords: readonly (readonly [SectionRole, RegExp])[] = [
  ['task', /\b(?:active|current|open) (?:task|request)\b/i],
  ['log', /\buser (?:messages?|log)\b/i],
  ['progress', /\bin progress\b|\bunder way\b/i],
  ['remaining', /\bremaining\b|\bnext steps?\b|\bto.?dos?\b|\bleft to do\b/i],
  ['asks', /\bpending\b|\bopen questions?\b|\bunanswered\b/i],
  ['answers', /\bresolved\b|\banswered\b/i],
  ['files', /\bfiles?\b|\bpaths?\b|\bdirector(?:y|ies)\b|\bresources?\b/i],
  ['actions', /\bcompleted\b|\baccomplished\b|\bactions?\b|\bwork done\b|\bprogress\b/i],
  ['rules', /\bconstraints?\b|\bpreferences?\b|\binstructions?\b|\brules?\b/i],
  ['blocked', /\bblock(?:ed|ers?)\b|\berrors?\b|\bproblems?\b|\bissues?\b/i],
  ['decisions', /\bdecisions?\b/i],
  ['state', /\bstate\b|\bstatus\b|\benvironment\b/i],
  ['context', /\bcontext\b|\bdiscover(?:y|ies)\b|\bfindings?\b|\bnotes?\b|\bdetails?\b|\bfacts?\b/i],
  ['goal', /\bgoals?\b|\bobjectives?\b|\bpurpose\b|\btask\b/i],
];

/** Roles whose section gets a role's content if the template has no section for it. */
const substitutes: Readonly<Record<SectionRole, readonly SectionRole[]>> = {
  task: ['goal'],
  goal: ['task'],
  rules: [],
  log: ['asks', 'goal', 'task'],
  actions: [],
  state: ['progress'],
  progress: ['state', 'remaining', 'actions'],
  blocked: ['state'],
  decisions: [],
  answers: ['actions'],
  asks: ['remaining', 'task', 'goal'],
  files: [],
  remaining: ['progress', 'actions'],
  context: [],
};

/** The role of a heading; `null` if no pattern matches. */
function sectionRole(heading: string): SectionRole | null {
  return roleWords.find(([, words]) => words.test(heading))?.[0] ?? null;
}

/** The sections of a template by role. */
export interface RoleMap {
  /** Index of the section with this role, or -1. */
  own(role: SectionRole): number;
  /** Index of the section for the role's content: its own, a related one, or the section for everything else. */
  place(role: SectionRole): number;
}

// Pure cache: every summary asks several times, and there are few templates.
const known = new WeakMap<SummaryTemplate, RoleMap>();

/** The roles of the sections of a template. */
export function roleMap(template: SummaryTemplate): RoleMap {
  let roles = known.get(template);
  if (!roles) known.set(template, (roles = readRoles(template)));
  return roles;
}

function readRoles(template: SummaryTemplate): RoleMap {
  const owners = new Map<SectionRole, number>();
  template.sections.forEach(({ heading }, index) => {
    const role = sectionRole(heading);
    if (role && !owners.has(role)) owners.set(role, index);
  });
  const rest = owners.get('context') ?? lastForAnything(template);
  return {
    own: (role) => owners.get(role) ?? -1,
    place: (role) => {
      const found = [role, ...substitutes[role]].find((candidate) => owners.has(candidate));
      return found === undefined ? rest : owners.get(found)!;
    },
  };
}

/** Sections for the user's words only. */
const ofUser: ReadonlySet<SectionRole> = new Set(['task', 'rules', 'log', 'asks']);

/** Index of the last section for text of tools and the agent; the last section if there is none. */
function lastForAnything({ sections }: SummaryTemplate): number {
  const last = sections.findLastIndex(({ heading }) => {
    const role = sectionRole(heading);
    return role === null || !ofUser.has(role);
  });
  return last < 0 ? sections.length - 1 : last;
}
