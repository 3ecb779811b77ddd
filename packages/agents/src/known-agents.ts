import type { AgentProfile } from './agent-profile.ts';
import { aider } from './agents/aider.ts';
import { autoGen } from './agents/autogen.ts';
import { browserUse } from './agents/browser-use.ts';
import { claudeCode } from './agents/claude-code.ts';
import { cline } from './agents/cline.ts';
import { codex } from './agents/codex.ts';
import { copilotCli } from './agents/copilot-cli.ts';
import { cursor } from './agents/cursor.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { hermesAgent } from './agents/hermes-agent.ts';
import { kiloCode } from './agents/kilo-code.ts';
import { miniSweAgent } from './agents/mini-swe-agent.ts';
import { opencode } from './agents/opencode.ts';
import { openHands } from './agents/openhands.ts';
import { pi } from './agents/pi.ts';
import { qwenCode } from './agents/qwen-code.ts';
import { sharedConventions } from './agents/shared-conventions.ts';
import { sweAgent } from './agents/swe-agent.ts';

/** All agents that are known by default. To add one, write a file in `agents/` and list it here. */
export const knownAgents: readonly AgentProfile[] = [
  aider,
  autoGen,
  browserUse,
  claudeCode,
  cline,
  codex,
  copilotCli,
  cursor,
  geminiCli,
  hermesAgent,
  kiloCode,
  miniSweAgent,
  openHands,
  opencode,
  pi,
  qwenCode,
  sweAgent,
  // Last, so that an agent's own marks are removed from a result before shared ones.
  sharedConventions,
];
