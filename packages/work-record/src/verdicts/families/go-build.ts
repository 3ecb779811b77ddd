import { failed, type ToolFamily } from '../tool-family.ts';

/** Go compilation, checks and formatting. */
export const goBuild: ToolFamily = {
  commands: [
    {
      programs: ['go'],
      subcommands: ['build', 'vet', 'install', 'generate', 'mod tidy', 'mod download', 'get', 'fmt'],
      valued: ['-C'],
    },
    { programs: ['gofmt', 'gofumpt', 'goimports', 'staticcheck'] },
  ],
  verdicts: [
    failed(/^(?:\.{0,2}\/?[\w./-]{1,200}\.go:\d+:\d+: |vet: |ld: )/),
    failed(/^go: (?!downloading|finding|extracting|warning|added|upgraded|downgraded|removed|creating|to add)/),
  ],
  failing: [/^(?:vet: )?(?<name>\.{0,2}\/?[\w./-]{1,200}\.go:\d+):\d+: /],
  silent: true,
};
