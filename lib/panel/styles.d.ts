/** A style sheet is imported as text: `import sheet from './panel.css'`. The build minifies it. */
declare module '*.css' {
  const text: string;
  export default text;
}
