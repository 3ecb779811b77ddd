import type { Message } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { agentReader } from '../src/index.ts';

const agentsFile = '# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>';
const environment = '<environment_context>\n  <cwd>/work</cwd>\n</environment_context>';
const claudeMd =
  "<system-reminder>\nAs you answer the user's questions, you can use the following context:\n# claudeMd\nUse tabs.\n</system-reminder>\n";
const skills =
  '<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n- pdf\n</system-reminder>';

function read(...texts: readonly string[]): readonly string[] {
  const message: Message = { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
  return agentReader.readInstructions!(message);
}

describe('the instructions in a user message', () => {
  it('are found word for word, before and next to the words of a person', () => {
    expect(read(agentsFile, environment)).toEqual([agentsFile, environment]);
    expect(read(`${agentsFile}\n\n${environment}`)).toEqual([agentsFile, environment]);
    expect(read(claudeMd, skills, 'Mend the build.')).toEqual([claudeMd, skills]);
    expect(read(`${claudeMd}Mend the build.`)).toEqual([claudeMd.trim()]);
  });

  it('are found after a handoff, behind other harness messages', () => {
    const content = `${writeHandoff('Body.')}\n\n<harness-message>\nContinue.\n\n${agentsFile}\n\n${environment}\n</harness-message>\n\nMend it.`;
    expect(agentReader.readInstructions!({ role: 'user', content })).toEqual([agentsFile, environment]);
  });

  it('are not what a person, a file or another reminder says', () => {
    expect(read('Mend the build.', `Please read this: ${claudeMd}`)).toEqual([]);
    expect(read("[read_file for 'a.md'] Result:", agentsFile)).toEqual([]);
    expect(read('<system-reminder>\nThe todo list is empty.\n</system-reminder>')).toEqual([]);
    expect(agentReader.readInstructions!({ role: 'assistant', content: agentsFile })).toEqual([]);
  });
});
