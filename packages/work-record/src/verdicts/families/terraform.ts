import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const terraform: ToolFamily = {
  commands: [
    {
      programs: ['terraform', 'tofu'],
      subcommands: ['plan', 'apply', 'destroy', 'validate', 'init', 'fmt'],
      idle: ['--list'],
    },
    { programs: ['pulumi', 'cdk', 'serverless'], subcommands: ['up', 'preview', 'destroy', 'deploy', 'synth'] },
    { programs: ['ansible-playbook'] },
  ],
  verdicts: [
    failed(/^[│╷]?\s{0,4}Error: /),
    failed(/^\S+\s+: ok=\d+.{0,80}(?:unreachable=[1-9]|failed=[1-9])/),
    passed(
      /^(?:Apply complete!|Destroy complete!|Plan: \d+ to add|No changes\.|Success! The configuration is valid|Terraform has been successfully initialized!)/,
    ),
    passed(/^\S+\s+: ok=\d+.{0,40}unreachable=0\s+failed=0/),
  ],
  silent: true,
};
