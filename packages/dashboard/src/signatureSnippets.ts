/**
 * Programs that verify the signature of a webhook, in six languages. The inbox page and docs/webhooks.md show them;
 * test/clients/signatures.test.ts runs them.
 */

export interface Signed {
  readonly secret: string
  /** The header X-Service-Signature. */
  readonly signature: string
}

export interface Snippet {
  readonly language: string
  /** The name of the file, and the command that runs it in its folder. */
  readonly file: string
  readonly command: string
  /** The name of the language in Markdown. */
  readonly fence: string
  /** Returns the program. It reads the raw body from its standard input and prints true or false. */
  readonly code: (signed: Signed) => string
}

/** Returns a literal of JavaScript, Python and Go. */
const doubleQuoted = (text: string): string => JSON.stringify(text)

/** Returns a literal of Java. Has only ASCII, because the compiler may expect another encoding. */
const javaQuoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Returns a literal of PHP and Ruby without interpolation. */
const singleQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

export const SNIPPETS: readonly Snippet[] = [
  {
    language: 'Node.js',
    file: 'verify.mjs',
    command: 'node verify.mjs < body.json',
    fence: 'js',
    code: ({ secret, signature }) => `import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'

// The body as a Buffer, before any parsing. Express: express.raw({ type: 'application/json' })
function isSigned(body, signature, secret) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'))
  const received = Buffer.from(signature)
  return received.length === expected.length && timingSafeEqual(received, expected)
}

const secret = ${doubleQuoted(secret)}
const signature = ${doubleQuoted(signature)} // the header X-Service-Signature
console.log(isSigned(readFileSync(0), signature, secret))
`,
  },
  {
    language: 'Python',
    file: 'verify.py',
    command: 'python3 verify.py < body.json',
    fence: 'python',
    code: ({ secret, signature }) => `import hashlib
import hmac
import sys


# The body as bytes, before any parsing. Flask: request.get_data(); Django: request.body
def is_signed(body: bytes, signature: str, secret: str) -> bool:
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(signature.encode(), expected.encode())


secret = ${doubleQuoted(secret)}
signature = ${doubleQuoted(signature)}  # the header X-Service-Signature
print(is_signed(sys.stdin.buffer.read(), signature, secret))
`,
  },
  {
    language: 'Go',
    file: 'verify.go',
    command: 'go run verify.go < body.json',
    fence: 'go',
    code: ({ secret, signature }) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"os"
)

// The body before any parsing. net/http: io.ReadAll(request.Body)
func isSigned(body []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(signature), []byte(expected))
}

func main() {
	secret := ${doubleQuoted(secret)}
	signature := ${doubleQuoted(signature)} // the header X-Service-Signature
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(isSigned(body, signature, secret))
}
`,
  },
  {
    language: 'Java',
    file: 'Verify.java',
    command: 'java Verify.java < body.json',
    fence: 'java',
    code: ({ secret, signature }) => `import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
    // The body before any parsing. Spring: @RequestBody byte[] body
    static boolean isSigned(byte[] body, String signature, String secret) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        String expected = "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        return MessageDigest.isEqual(signature.getBytes(UTF_8), expected.getBytes(UTF_8));
    }

    public static void main(String[] args) throws Exception {
        String secret = ${javaQuoted(secret)};
        String signature = ${javaQuoted(signature)}; // the header X-Service-Signature
        System.out.println(isSigned(System.in.readAllBytes(), signature, secret));
    }
}
`,
  },
  {
    language: 'PHP',
    file: 'verify.php',
    command: 'php verify.php < body.json',
    fence: 'php',
    code: ({ secret, signature }) => `<?php

// The body before any parsing. In a web server: file_get_contents('php://input')
function isSigned(string $body, string $signature, string $secret): bool
{
    $expected = 'sha256=' . hash_hmac('sha256', $body, $secret);
    return hash_equals($expected, $signature);
}

$secret = ${singleQuoted(secret)};
$signature = ${singleQuoted(signature)}; // the header X-Service-Signature
echo isSigned(file_get_contents('php://stdin'), $signature, $secret) ? 'true' : 'false', PHP_EOL;
`,
  },
  {
    language: 'Ruby',
    file: 'verify.rb',
    command: 'ruby verify.rb < body.json',
    fence: 'ruby',
    code: ({ secret, signature }) => `require 'openssl'

# The body before any parsing. Rails: request.raw_post; Rack: request.body.read
def signed?(body, signature, secret)
  expected = 'sha256=' + OpenSSL::HMAC.hexdigest('SHA256', secret, body)
  OpenSSL.secure_compare(signature, expected)
end

secret = ${singleQuoted(secret)}
signature = ${singleQuoted(signature)} # the header X-Service-Signature
puts signed?($stdin.binmode.read, signature, secret)
`,
  },
]
