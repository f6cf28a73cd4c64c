export default {
  // Keep packages out of the bundle that are compiled or read files of their own folder.
  serverExternalPackages: ['parlance-chat', 'better-sqlite3', 'sharp', 'jq-wasm'],
};
