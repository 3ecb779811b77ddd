// Writes changelogs for their readers: what changed, without hashes of commits. All packages share one version, so which
// of them depend on each other's new versions tells nothing.
module.exports = {
  getReleaseLine: async ({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ').replaceAll(/^ +$/gm, '')}`,
  getDependencyReleaseLine: async () => '',
};
