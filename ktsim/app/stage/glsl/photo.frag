#version 150
// A photo on the floor: hidden by whatever stands on it, and never seen through it.
uniform sampler2D photo, depth_texture;
uniform vec2 texel;
uniform float bias, opacity;
in vec2 uv;
out vec4 result;
void main() {
    vec2 inside = step(vec2(0.), uv) * step(uv, vec2(1.));
    float shown = opacity * inside.x * inside.y;
    if (gl_FragCoord.z > texture(depth_texture, gl_FragCoord.xy * texel).r + bias) shown = 0.;
    result = vec4(texture(photo, uv).rgb, shown);
}
