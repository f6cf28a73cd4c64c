/** Ctrl, or Command on Apple devices, where Ctrl with a letter edits a text. */
export const isApple = () => /Mac|iP/.test(navigator.platform);
export const isCommand = ({ ctrlKey, metaKey }: KeyboardEvent) =>
  isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
