import type { AgentProfile } from '../agent-profile.ts';

export const autoGen: AgentProfile = {
  name: 'AutoGen',
  openings: [
    // The executor.
    /exitcode: -?\d+ \(/,
    /\*{3,} Response from calling tool\b/,
    // The web surfer and the file surfer.
    /I (?:typed|clicked|scrolled|hovered|visited|opened|navigated|pressed|selected|waited|went|searched)\b[\s\S]{0,4000}?\bHere is a screenshot of \[/,
    /Address: [^\n]{0,2000}\n(?:Title: [^\n]{0,400}\n)?Viewport position: /,
  ],
};
