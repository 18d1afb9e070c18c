/** esbuild bundles style sheets. They export nothing. */
declare module '*.css'
